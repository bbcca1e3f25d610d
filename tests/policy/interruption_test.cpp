#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/policy.hpp"
#include "policy/cases.hpp"
#include "policy/planar_features.hpp"

namespace neuroprim {

namespace {

using testing::policy_case;
using testing::policy_cases;
using testing::small_config;

/// Says stop from its `patience`-th question on, and counts the questions.
class Impatience {
public:
    explicit Impatience(int patience = 1'000'000'000) : patience_(patience) {}

    [[nodiscard]] std::function<bool()> question() {
        return [this] { return ++questions_ > patience_; };
    }
    [[nodiscard]] int questions() const { return questions_; }

private:
    int patience_;
    std::atomic<int> questions_ = 0;
};

Policy policy_that_sees_distances() {
    PolicyConfig config = small_config();
    config.features = {"distance"};
    return Policy::random(config, 3);
}

TEST(Interruption, EndsTheEncoderAtEveryQuestion) {
    const Policy policy = policy_that_sees_distances();
    for (const auto& each : policy_cases(60, 1)) {
        for (const int threads : {1, 3}) {
            Impatience patient;
            const Encoded encoded(policy, *each.problem, {.threads = threads, .interrupted = patient.question()});
            // Every step of the way asks: once for a row of the tables, if not more often.
            EXPECT_GE(patient.questions(), 60) << each.title;
            for (int patience = 0; patience < patient.questions() / 2; patience += 7) {
                Impatience impatient(patience);
                EXPECT_THROW(
                    Encoded(policy, *each.problem, {.threads = threads, .interrupted = impatient.question()}),
                    Interrupted)
                    << each.title << ", patience " << patience;
                // Each thread hears it with its next question, at the latest.
                EXPECT_LE(impatient.questions(), patience + threads) << each.title;
            }
        }
    }
}

TEST(Interruption, EndsTheLayoutOfAGraphWithoutCoordinates) {
    for (const auto& each : policy_cases(60, 2)) {
        if (!each.instance->positions().empty()) continue;
        Impatience patient;
        const auto points = policy::feature_points(*each.instance, patient.question());
        EXPECT_EQ(points, policy::feature_points(*each.instance));
        for (int patience = 0; patience < patient.questions(); patience += 5) {
            Impatience impatient(patience);
            EXPECT_THROW((void)policy::feature_points(*each.instance, impatient.question()), Interrupted);
            EXPECT_EQ(impatient.questions(), patience + 1);
        }
    }
}

/// On a few and on many vertices: the latter share the rows of one step between threads.
TEST(Interruption, LeavesTreesThatAreTheBeginningsOfTheWholeOnes) {
    const Policy policy = Policy::random(small_config(), 5);
    for (const Vertex n : {40, 320}) {
        const auto each = policy_case("mrcst", n, 4);
        const Encoded encoded(policy, *each.problem);
        const std::vector<Start> starts = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
        for (const DecodeMode mode : {DecodeMode::greedy, DecodeMode::sample}) {
            for (const int threads : {1, 2}) {
                DecodeOptions options;
                options.mode = mode;
                options.threads = threads;
                Impatience patient;
                options.interrupted = patient.question();
                const auto whole = decode(encoded, *each.problem, starts, options);
                for (const int tenths : {0, 2, 7}) {
                    Impatience impatient(patient.questions() * tenths / 10);
                    options.interrupted = impatient.question();
                    const auto parts = decode(encoded, *each.problem, starts, options);
                    EXPECT_TRUE(std::any_of(parts.begin(), parts.end(), [](const auto& p) { return !p.complete; }));
                    for (std::size_t k = 0; k < starts.size(); ++k) {
                        const auto& part = parts[k].tree;
                        const auto& all = whole[k].tree;
                        EXPECT_EQ(part.start, all.start);
                        ASSERT_LE(part.edges.size(), all.edges.size());
                        EXPECT_TRUE(std::equal(part.edges.begin(), part.edges.end(), all.edges.begin()));
                    }
                }
            }
        }
    }
}

TEST(Interruption, IsListenedToInTheMiddleOfALargeStep) {
    const Policy policy = Policy::random(small_config(), 5);
    const auto each = policy_case("mrcst", 700, 4);
    const Encoded encoded(policy, *each.problem);
    std::vector<Start> starts;
    for (Vertex v = 0; v < 16; ++v) starts.push_back({v, 0});
    DecodeOptions options;
    options.mode = DecodeMode::sample;
    Impatience impatient(2000);
    options.interrupted = impatient.question();
    std::size_t visits = 0;
    for (const auto& rollout : decode(encoded, *each.problem, starts, options)) visits += rollout.edges_visited;
    EXPECT_LT(visits, 2000u * 20'000u);
    EXPECT_LE(impatient.questions(), 2001);
}

TEST(Interruption, OfTheFirstTreeIsNoDeadEnd) {
    const Policy policy = Policy::random(small_config(), 5);
    const auto each = policy_case("dcmst", 30, 4, 2);
    for (const std::size_t beam : {0, 2}) {
        NeuralOptions options;
        options.beam = beam;
        options.interrupted = [] { return true; };
        EXPECT_THROW((void)solve_neurally(policy, *each.problem, options), Interrupted);
    }
}

TEST(Interruption, LeavesTheBestTreeSoFar) {
    const Policy policy = Policy::random(small_config(), 5);
    const auto each = policy_case("dcmst", 30, 4, 2);
    NeuralOptions options;
    options.augmentations = 8;
    Impatience patient;
    options.interrupted = patient.question();
    const NeuralAnswer whole = solve_neurally(policy, *each.problem, options);
    Impatience impatient(patient.questions() / 2);
    options.interrupted = impatient.question();
    const NeuralAnswer part = solve_neurally(policy, *each.problem, options);
    EXPECT_EQ(each.problem->violation(part.tree), std::nullopt);
    EXPECT_GT(part.statistics.trees, 0u);
    EXPECT_LT(part.statistics.trees, whole.statistics.trees);
}

}  // namespace

}  // namespace neuroprim
