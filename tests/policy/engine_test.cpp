#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "neuroprim/error.hpp"
#include "neuroprim/policy.hpp"
#include "policy/cases.hpp"
#include "policy/model.hpp"
#include "policy/reference.hpp"
#include "policy/safetensors.hpp"
#include "support/instances.hpp"

namespace neuroprim {

namespace {

using policy::Reference;
using testing::policy_case;
using testing::policy_cases;
using testing::PolicyCase;
using testing::small_config;

constexpr double tolerance = 1e-4;
constexpr double tie = 1e-4;

std::vector<Start> some_starts(const Problem& problem, std::size_t most) {
    std::vector<Start> starts = all_starts(problem);
    if (starts.size() > most) starts.resize(most);
    return starts;
}

/// Greedy and sampled trees of the engine, priced by the reference; greedy trees of both.
void expect_agreement(const PolicyCase& each, const Policy& policy, std::size_t most_starts,
                      bool may_end_early = false) {
    SCOPED_TRACE(each.title + ", " + std::to_string(each.problem->size()) + " vertices, " +
                 std::string(policy.instruction_set()));
    const Problem& problem = *each.problem;
    const Reference reference(policy, problem);
    const Encoded encoded(policy, problem);
    const auto starts = some_starts(problem, most_starts);
    for (const DecodeMode mode : {DecodeMode::greedy, DecodeMode::sample}) {
        DecodeOptions options;
        options.mode = mode;
        const auto rollouts = decode(encoded, problem, starts, options);
        for (std::size_t k = 0; k < starts.size(); ++k) {
            const Rollout& rollout = rollouts[k];
            EXPECT_EQ(rollout.tree.start, starts[k].vertex);
            EXPECT_NEAR(rollout.log_probability, reference.log_probability(rollout.tree), tolerance);
            EXPECT_NEAR(log_probability(encoded, problem, rollout.tree), rollout.log_probability, tolerance);
            if (rollout.complete) {
                EXPECT_EQ(problem.violation(problem.pruned(rollout.tree)), std::nullopt);
            } else {
                EXPECT_TRUE(may_end_early || !problem.weights().is_complete());
            }
            if (mode == DecodeMode::sample) continue;
            double closest = 0;
            const Tree expected = reference.greedy(starts[k].vertex, closest);
            if (closest > tie) {
                EXPECT_EQ(rollout.tree, expected);
            }
        }
    }
}

TEST(PolicyEngine, AgreesWithTheReferenceOnEveryProblemAndFormForEveryInstructionSet) {
    for (const auto& isa : testing::instruction_sets()) {
        const testing::UseInstructionSet use(isa);
        const Policy policy = Policy::random(small_config(), 11);
        ASSERT_EQ(policy.instruction_set(), isa);
        for (const Vertex n : {1, 2, 3, 7, 20}) {
            for (const auto& each : policy_cases(n, static_cast<std::uint64_t>(n))) expect_agreement(each, policy, 2);
        }
    }
}

TEST(PolicyEngine, AgreesWithTheReferenceOnRandomSpecifications) {
    for (const auto& isa : testing::instruction_sets()) {
        const testing::UseInstructionSet use(isa);
        const Policy told = Policy::random(testing::told_config(), 21);
        const Policy deep = Policy::random(testing::told_config(12, 3, 2, false), 22);
        const Policy untold = Policy::random(small_config(), 23);
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const auto each = testing::random_specification(2 + static_cast<Vertex>(seed % 14), seed);
            expect_agreement(each, told, 2, true);
            expect_agreement(each, seed % 2 == 0 ? deep : untold, 1, true);
        }
        for (const auto& each : policy_cases(11, 4)) expect_agreement(each, told, 1);
    }
}

TEST(PolicyEngine, AgreesWithTheReferenceOnTrueWeights) {
    for (const auto& isa : testing::instruction_sets()) {
        const testing::UseInstructionSet use(isa);
        const Policy told = Policy::random(testing::with_weights(testing::told_config()), 31);
        const Policy deep = Policy::random(testing::with_weights(small_config(12, 3, 2)), 32);
        for (const Vertex n : {1, 2, 3, 7, 20}) {
            for (const auto& each : policy_cases(n, static_cast<std::uint64_t>(n))) {
                expect_agreement(each, n % 2 == 0 ? told : deep, 1);
            }
        }
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            expect_agreement(testing::random_specification(2 + static_cast<Vertex>(seed % 14), seed), told, 1, true);
        }
    }
}

/// The same tensors without the feature `weights`.
Policy without_weights(const Policy& policy) {
    policy::TensorFile file{policy::to_metadata(policy.config()), policy.model().tensors()};
    file.metadata["features"] = "distance";
    const auto path = std::filesystem::path(::testing::TempDir()) / "neuroprim_without_weights.safetensors";
    policy::write_safetensors(path, file);
    Policy result = Policy::load(path);
    std::filesystem::remove(path);
    return result;
}

TEST(PolicyEngine, SeesStraightWeightsExactlyAsDistances) {
    const Policy with = Policy::random(testing::with_weights(small_config()), 33);
    const Policy without = without_weights(with);
    for (const auto& each : policy_cases(15, 3)) {
        const auto starts = some_starts(*each.problem, 3);
        const auto seen = decode(Encoded(with, *each.problem), *each.problem, starts);
        const auto blind = decode(Encoded(without, *each.problem), *each.problem, starts);
        const bool is_straight = each.problem->weights().form() == Weights::Form::points;
        for (std::size_t k = 0; k < starts.size(); ++k) {
            EXPECT_EQ(seen[k].log_probability == blind[k].log_probability, is_straight) << each.title;
            EXPECT_TRUE(!is_straight || seen[k].tree == blind[k].tree) << each.title;
        }
    }
}

/// A matrix on the corners and the middle of a square.
Instance weighted_square(double scale, double longest) {
    Instance instance;
    instance.layout = {{0, 0}, {scale, 0}, {0, scale}, {scale, scale}, {scale / 2, scale / 2}};
    std::vector<double> lower = {3, 1, 4, 1, 5, 9, 2, 6, 5, longest};
    for (double& weight : lower) weight *= scale;
    instance.weights = Weights::from_lower_triangle(5, lower);
    return instance;
}

TEST(PolicyEngine, SeesTrueWeightsWhateverTheirScale) {
    const Policy policy = Policy::random(testing::with_weights(testing::told_config()), 34);
    const Instance unit = weighted_square(1, 3);
    const Instance large = weighted_square(1e6, 3);
    const Instance heavier = weighted_square(1, 4);
    const Problem problem(unit);
    const Rollout expected = decode(encode(policy, problem), problem, some_starts(problem, 1))[0];
    const auto seen = [&](const Instance& instance) {
        const Problem other(instance);
        return log_probability(encode(policy, other), other, expected.tree);
    };
    EXPECT_NEAR(seen(large), expected.log_probability, 1e-5);
    EXPECT_GT(std::abs(seen(heavier) - expected.log_probability), 1e-4);
    EXPECT_TRUE(std::isfinite(seen(weighted_square(1, 1e149))));
}

TEST(PolicyEngine, SurvivesTermsOfRowsThatWouldOverflow) {
    const auto each = policy_case("dcmst", 14, 8, 3);
    const Policy policy = testing::scaled_rows(Policy::random(testing::told_config(), 24), 60);
    const Reference reference(policy, *each.problem);
    const Encoded encoded(policy, *each.problem);
    for (const auto& rollout : decode(encoded, *each.problem, some_starts(*each.problem, 3))) {
        ASSERT_TRUE(rollout.complete);
        EXPECT_NEAR(rollout.log_probability, reference.log_probability(rollout.tree), 0.05);
    }
}

TEST(PolicyEngine, WithoutWeightOnTheSpecificationGrowsTheTreesOfThePolicyThatIsNotToldIt) {
    const Policy told = testing::scaled_rows(Policy::random(testing::told_config(16, 8, 1, false), 25), 0);
    policy::TensorFile file{policy::to_metadata(small_config()), told.model().tensors()};
    for (const char* name : {"specification.weight", "row.expand.weight", "row.expand.bias", "row.contract.weight",
                             "row.contract.bias"}) {
        file.tensors.erase(name);
    }
    const auto path = std::filesystem::path(::testing::TempDir()) / "neuroprim_untold.safetensors";
    policy::write_safetensors(path, file);
    const Policy untold = Policy::load(path);
    std::filesystem::remove(path);
    for (const auto& each : policy_cases(12, 9)) {
        const auto starts = some_starts(*each.problem, 2);
        const auto expected = decode(Encoded(untold, *each.problem), *each.problem, starts);
        const auto found = decode(Encoded(told, *each.problem), *each.problem, starts);
        for (std::size_t k = 0; k < starts.size(); ++k) EXPECT_EQ(found[k].tree, expected[k].tree) << each.title;
    }
}

TEST(PolicyEngine, AgreesWithTheReferenceForEveryWidth) {
    struct Widths {
        int d_e, heads, layers;
    };
    std::uint64_t seed = 1;
    for (const auto& isa : testing::instruction_sets()) {
        const testing::UseInstructionSet use(isa);
        for (const Widths w : {Widths{32, 8, 1}, Widths{64, 8, 1}, Widths{16, 8, 2}, Widths{32, 16, 1},
                               Widths{16, 16, 1}, Widths{64, 16, 2}, Widths{16, 4, 1}, Widths{12, 3, 2},
                               Widths{10, 1, 1}, Widths{48, 8, 1}, Widths{2, 2, 1}}) {
            SCOPED_TRACE("d_e " + std::to_string(w.d_e) + ", heads " + std::to_string(w.heads));
            const Policy policy = Policy::random(small_config(w.d_e, w.heads, w.layers), ++seed);
            expect_agreement(policy_case("mrcst", 13, seed), policy, 2);
            expect_agreement(policy_case("dcmst", 13, seed, 2), policy, 2);
        }
    }
}

TEST(PolicyEngine, AgreesWithTheReferenceAtThePapersSizes) {
    const Policy policy = Policy::random({}, 3);
    expect_agreement(policy_case("dcmst", 50, 1, 2), policy, 1);
    expect_agreement(policy_case("mrcst", 50, 2), policy, 1);
    expect_agreement(policy_case("stp", 50, 3), policy, 1);
}

TEST(PolicyEngine, SurvivesAttentionScoresThatWouldOverflow) {
    for (const auto& isa : testing::instruction_sets()) {
        const testing::UseInstructionSet use(isa);
        const Policy policy = testing::scaled_attention(Policy::random(small_config(), 5), 100);
        const auto each = policy_case("mrcst", 12, 4);
        const Encoded encoded(policy, *each.problem);
        const Reference reference(policy, *each.problem);
        for (const auto& rollout : decode(encoded, *each.problem, some_starts(*each.problem, 3))) {
            ASSERT_TRUE(rollout.complete);
            EXPECT_NEAR(rollout.log_probability, reference.log_probability(rollout.tree), 0.05);
        }
    }
}

TEST(PolicyEngine, GivesTheSameRolloutsForAnyNumberOfThreads) {
    const Policy policy = Policy::random(small_config(), 1);
    for (const char* name : {"mrcst", "dcmst", "stp"}) {
        const auto each = policy_case(name, 40, 9, std::string(name) == "dcmst" ? 3 : 0);
        std::vector<std::vector<Rollout>> answers;
        for (const int threads : {1, 2, 3}) {
            const Encoded encoded(policy, *each.problem, {.symmetry = 3, .threads = threads});
            DecodeOptions options;
            options.mode = DecodeMode::sample;
            options.seed = 77;
            options.threads = threads;
            answers.push_back(decode(encoded, *each.problem, all_starts(*each.problem), options));
        }
        for (const auto& answer : answers) {
            ASSERT_EQ(answer.size(), answers[0].size());
            for (std::size_t k = 0; k < answer.size(); ++k) {
                EXPECT_EQ(answer[k].tree, answers[0][k].tree);
                EXPECT_EQ(answer[k].log_probability, answers[0][k].log_probability);
            }
        }
    }
}

/// So large that the rows of a step come from memory and are shared between threads.
constexpr Vertex large = 330;

TEST(PolicyEngine, SharesTheRowsOfLargeInstancesWithoutATrace) {
    const Policy policy = Policy::random(small_config(), 6);
    for (const char* name : {"mrcst", "dcmst"}) {
        const auto each = policy_case(name, large, 5, std::string(name) == "dcmst" ? 3 : 0);
        const Encoded encoded(policy, *each.problem, {.symmetry = 0, .threads = 2});
        const std::vector<Start> starts = {{4, 0}, {329, 1}};
        for (const DecodeMode mode : {DecodeMode::greedy, DecodeMode::sample}) {
            DecodeOptions options;
            options.mode = mode;
            const auto expected = decode(encoded, *each.problem, starts, options);
            options.threads = 3;
            const auto found = decode(encoded, *each.problem, starts, options);
            for (std::size_t k = 0; k < starts.size(); ++k) {
                EXPECT_TRUE(found[k].complete);
                EXPECT_EQ(found[k].tree, expected[k].tree);
                EXPECT_EQ(found[k].log_probability, expected[k].log_probability);
            }
            EXPECT_EQ(log_probability(encoded, *each.problem, expected[1].tree), expected[1].log_probability);
            options.log_probabilities = false;  // greedy decoding then keeps no scores
            const auto quick = decode(encoded, *each.problem, starts, options);
            for (std::size_t k = 0; k < starts.size(); ++k) EXPECT_EQ(quick[k].tree, expected[k].tree);
        }
    }
}

TEST(PolicyEngine, AgreesWithTheReferenceOnALargeInstance) {
    for (const auto& isa : testing::instruction_sets()) {
        const testing::UseInstructionSet use(isa);
        const Policy policy = Policy::random(small_config(), 6);
        const auto each = policy_case("mrcst", large, 5);
        const Encoded encoded(policy, *each.problem);
        // The reference is slow: one step with many open rows, after a tree of the engine's own.
        const std::vector<Start> whole = {{4, 0}};
        const Tree tree = decode(encoded, *each.problem, whole).front().tree;
        const std::vector<Edge> prefix(tree.edges.begin(), tree.edges.begin() + 40);
        Construction state(*each.problem, 4);
        for (const Edge& edge : prefix) state.add(edge.u, edge.v);
        const auto expected = Reference(policy, *each.problem).actions(state);
        double weights = 0;
        for (const auto& action : expected) weights += std::exp(action.logit);
        DecodeOptions options;
        bool seen = false;
        options.interrupted = [&] { return seen; };
        options.observer = [&](const DecodeStep& step) {
            if (seen) return;
            seen = true;
            ASSERT_EQ(step.edges.size(), expected.size());
            for (std::size_t k = 0; k < expected.size(); ++k) {
                ASSERT_EQ(step.edges[k], expected[k].edge);
                const double logit = std::log(static_cast<double>(step.probabilities[k]));
                EXPECT_NEAR(logit, expected[k].logit - std::log(weights), tolerance);
            }
        };
        const std::vector<Start> later = {{4, 0, prefix}};
        (void)decode(encoded, *each.problem, later, options);
        EXPECT_TRUE(seen);
    }
}

/// What a problem says about all vertices at once is what it says about them one by one.
void expect_consistency(const Construction& state) {
    const Problem& problem = state.problem();
    EXPECT_LE(state.open().size(), static_cast<std::size_t>(problem.most_open()));
    if (!problem.lookahead_allows_all(state)) return;
    for (const Vertex v : state.outside()) EXPECT_TRUE(problem.lookahead_allows(state, v));
}

TEST(PolicyEngine, MayTrustWhatProblemsSayAboutAllVerticesAtOnce) {
    EXPECT_EQ(policy_case("dcmst", 9, 1, 2).problem->most_open(), 2);
    EXPECT_EQ(policy_case("dcmst", 9, 1, 3).problem->most_open(), 9);
    for (const auto& each : policy_cases(12, 3)) {
        SCOPED_TRACE(each.title);
        const Encoded encoded(Policy::random(small_config(), 1), *each.problem);
        const Tree tree = decode(encoded, *each.problem, some_starts(*each.problem, 1)).front().tree;
        Construction state(*each.problem, tree.start);
        for (const Edge& edge : tree.edges) {
            expect_consistency(state);
            state.add(edge.u, edge.v);
        }
        expect_consistency(state);
    }
}

TEST(PolicyEngine, DrawsFromTheStreamOfTheStartNotFromItsPlaceInTheCall) {
    const Policy policy = Policy::random(small_config(), 1);
    const auto each = policy_case("mrcst", 15, 2);
    const Encoded encoded(policy, *each.problem);
    DecodeOptions options;
    options.mode = DecodeMode::sample;
    const std::vector<Start> many = {{4, 0}, {4, 1}, {4, 2}};
    const auto together = decode(encoded, *each.problem, many, options);
    const auto alone = decode(encoded, *each.problem, std::span(many).subspan(2), options);
    EXPECT_EQ(together[2].tree, alone[0].tree);
    EXPECT_NE(together[0].tree, together[1].tree);
}

TEST(PolicyEngine, GoesOnFromAPrefixAsIfItHadChosenIt) {
    const Policy policy = Policy::random(small_config(), 1);
    for (const char* name : {"mrcst", "dcmst"}) {
        const auto each = policy_case(name, 15, 2, std::string(name) == "dcmst" ? 3 : 0);
        const Encoded encoded(policy, *each.problem);
        DecodeOptions options;
        options.alternatives = 3;
        const std::vector<Start> start = {{4, 0}};
        const Rollout whole = decode(encoded, *each.problem, start, options).front();
        const std::vector<Edge> prefix(whole.tree.edges.begin(), whole.tree.edges.begin() + 5);
        const std::vector<Start> later = {{4, 0, prefix}};
        const Rollout rest = decode(encoded, *each.problem, later, options).front();
        EXPECT_EQ(rest.tree, whole.tree);
        EXPECT_GT(rest.log_probability, whole.log_probability) << "a prefix is no choice";

        // Best first, as the probabilities of the trees that take them say.
        ASSERT_EQ(rest.alternatives.size(), 3U);
        EXPECT_EQ(rest.alternatives[0], whole.tree.edges[5]);
        double before = 0;
        for (const Edge& edge : rest.alternatives) {
            Tree tree{4, prefix};
            tree.edges.push_back(edge);
            const double now = log_probability(encoded, *each.problem, tree);
            EXPECT_LE(now, before);
            before = now;
        }
        const std::vector<Edge> nonsense = {{4, 4}};
        const std::vector<Start> wrong = {{4, 0, nonsense}};
        EXPECT_THROW(static_cast<void>(decode(encoded, *each.problem, wrong, options)), InputError);
    }
}

TEST(PolicyEngine, SamplesEdgesAsOftenAsTheirProbabilitiesSay) {
    const Policy policy = Policy::random(small_config(), 8);
    const auto each = policy_case("mst", 4, 5);
    const Encoded encoded(policy, *each.problem);
    const Reference reference(policy, *each.problem);
    for (const double temperature : {1.0, 3.0}) {
        constexpr std::size_t draws = 20000;
        std::vector<Start> starts(draws);
        for (std::size_t k = 0; k < draws; ++k) starts[k] = {1, k};
        DecodeOptions options;
        options.mode = DecodeMode::sample;
        options.temperature = temperature;
        options.seed = 3;
        std::map<std::vector<std::pair<Vertex, Vertex>>, double> counts;
        std::map<std::vector<std::pair<Vertex, Vertex>>, Tree> trees;
        for (const auto& rollout : decode(encoded, *each.problem, starts, options)) {
            std::vector<std::pair<Vertex, Vertex>> key;
            for (const Edge& edge : rollout.tree.edges) key.emplace_back(edge.u, edge.v);
            ++counts[key];
            trees[key] = rollout.tree;
        }
        // Outcomes with few expected draws are put together, as the test wants.
        double statistic = 0;
        double rest_expected = draws;
        double rest_counted = draws;
        int classes = 1;
        for (const auto& [key, count] : counts) {
            const double expected = draws * std::exp(reference.log_probability(trees[key], temperature));
            if (expected < 10) continue;
            statistic += (count - expected) * (count - expected) / expected;
            rest_expected -= expected;
            rest_counted -= count;
            ++classes;
        }
        if (rest_expected > 5)
            statistic += (rest_counted - rest_expected) * (rest_counted - rest_expected) / rest_expected;
        EXPECT_GT(classes, 4);
        const double freedom = classes - 1;
        EXPECT_LT(statistic, freedom + 4 * std::sqrt(2 * freedom)) << "at temperature " << temperature;
    }
}

TEST(PolicyEngine, ShowsObserversTheWholeDistributionOfEveryStep) {
    const Policy policy = Policy::random(small_config(), 21);
    const auto each = policy_case("dcmst", 9, 6, 2);
    const Encoded encoded(policy, *each.problem);
    const Reference reference(policy, *each.problem);
    std::size_t steps = 0;
    double total_log = 0;
    Construction state(*each.problem, 4);
    DecodeOptions options;
    options.threads = 3;
    options.observer = [&](const DecodeStep& step) {
        EXPECT_EQ(step.trajectory, 1u);
        EXPECT_EQ(step.step, steps++);
        const auto expected = reference.actions(state);
        ASSERT_EQ(step.edges.size(), expected.size());
        double sum = 0;
        double weights = 0;
        for (const auto& action : expected) weights += std::exp(action.logit);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            EXPECT_EQ(step.edges[k], expected[k].edge);
            EXPECT_NEAR(step.probabilities[k], std::exp(expected[k].logit) / weights, 1e-5);
            sum += static_cast<double>(step.probabilities[k]);
        }
        EXPECT_NEAR(sum, 1, 1e-5);
        total_log += std::log(static_cast<double>(step.probabilities[step.chosen]));
        state.add(step.edges[step.chosen].u, step.edges[step.chosen].v);
    };
    const std::vector<Start> both = {{4, 0}, {4, 1}};
    options.observer = [inner = options.observer](const DecodeStep& step) {
        if (step.trajectory == 1) inner(step);
    };
    const auto rollouts = decode(encoded, *each.problem, both, options);
    EXPECT_EQ(steps, 8u);
    EXPECT_NEAR(rollouts[1].log_probability, total_log, 1e-4);
}

TEST(PolicyEngine, ReportsADeadEndInsteadOfAForest) {
    // A star whose centre may have two edges only: from a leaf, the third leaf can never be reached.
    Instance star = testing::of_edges(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}});
    const auto problem = make_problem("dcmst", star, {.degree = 2, .root = {}, .hops = {}});
    const Policy policy = Policy::random(small_config(), 2);
    const auto rollouts = decode(encode(policy, *problem), *problem, all_starts(*problem));
    ASSERT_EQ(rollouts.size(), 4u);
    for (const auto& rollout : rollouts) {
        EXPECT_FALSE(rollout.complete);
        EXPECT_EQ(rollout.tree.edges.size(), 2u);
    }
}

TEST(PolicyEngine, GivesImpossibleStepsNoProbability) {
    const Policy policy = Policy::random(small_config(), 2);
    const auto each = policy_case("dcmst", 5, 1, 2);
    const Encoded encoded(policy, *each.problem);
    EXPECT_TRUE(std::isfinite(log_probability(encoded, *each.problem, {0, {{0, 1}, {1, 2}}})));
    EXPECT_EQ(log_probability(encoded, *each.problem, {0, {{0, 1}, {2, 3}}}), -INFINITY);
    EXPECT_EQ(log_probability(encoded, *each.problem, {0, {{0, 1}, {0, 2}, {0, 3}}}), -INFINITY);
}

/// Only the vertex with the smallest number may take children: a rule of the user's own, and not a local one.
class Caterpillar final : public Problem {
public:
    using Problem::Problem;
    [[nodiscard]] std::string_view name() const override { return "caterpillar"; }
    [[nodiscard]] bool residual_capacity_is_local() const override { return false; }
    [[nodiscard]] bool has_residual_capacity(const Construction& state, Vertex u) const override {
        for (Vertex v = 0; v < u; ++v) {
            if (state.contains(v)) return false;
        }
        return true;
    }
};

TEST(PolicyEngine, RunsOnAProblemOfTheUsersOwn) {
    const auto each = policy_case("mst", 9, 3);
    const Caterpillar problem(*each.instance);
    const Policy policy = Policy::random(small_config(), 2);
    const Encoded encoded(policy, problem);
    const Reference reference(policy, problem);
    for (const auto& rollout : decode(encoded, problem, all_starts(problem))) {
        ASSERT_TRUE(rollout.complete);
        Vertex smallest = rollout.tree.start;
        for (const Edge& edge : rollout.tree.edges) {
            EXPECT_EQ(edge.u, smallest);
            smallest = std::min(smallest, edge.v);
        }
        EXPECT_NEAR(rollout.log_probability, reference.log_probability(rollout.tree), tolerance);
    }
}

TEST(PolicyEngine, SeesTheSameInstanceWhateverItsScaleAndPlace) {
    const Policy policy = Policy::random(small_config(), 4);
    const auto each = policy_case("mrcst", 12, 8);
    std::vector<Point> moved;
    for (const Point p : each.instance->weights.points()) moved.push_back({1000 + 64 * p.x, 64 * p.y - 7});
    const Instance elsewhere = testing::of_points(moved);
    const auto problem = make_problem("mrcst", elsewhere);
    const auto here = decode(encode(policy, *each.problem), *each.problem, all_starts(*each.problem));
    const auto there = decode(encode(policy, *problem), *problem, all_starts(*problem));
    for (std::size_t k = 0; k < here.size(); ++k)
        EXPECT_NEAR(here[k].log_probability, there[k].log_probability, 1e-3);
}

TEST(PolicyEngine, SeesPointsTurnedAsIfTheyLaySo) {
    const Policy policy = Policy::random(small_config(), 4);
    const auto each = policy_case("mrcst", 12, 8);
    std::vector<Point> quarter_turned;
    for (const Point p : each.instance->weights.points()) quarter_turned.push_back({-p.y, p.x});
    const Instance lying = testing::of_points(quarter_turned);
    const auto problem = make_problem("mrcst", lying);
    const Tree tree = decode(encode(policy, *problem), *problem, all_starts(*problem))[0].tree;
    const double likelihood = log_probability(encode(policy, *problem), *problem, tree);
    const auto likelihood_after = [&](double degrees) {
        const EncodeOptions options{.symmetry = 0, .threads = 1, .turn = degrees};
        return log_probability(encode(policy, *each.problem, options), *each.problem, tree);
    };
    EXPECT_NEAR(likelihood_after(90), likelihood, tolerance);
    EXPECT_GT(std::abs(likelihood_after(0) - likelihood), 1e-3);
    EXPECT_GT(std::abs(likelihood_after(87) - likelihood), 1e-3);
}

TEST(PolicyEngine, SeesPointsWhereItIsTold) {
    const Policy policy = Policy::random(small_config(), 4);
    const auto each = policy_case("mrcst", 12, 8);
    const auto given = each.instance->weights.points();
    std::vector<Point> points(given.begin(), given.end());
    const Tree tree = decode(encode(policy, *each.problem), *each.problem, all_starts(*each.problem))[0].tree;
    const double likelihood = log_probability(encode(policy, *each.problem), *each.problem, tree);
    const auto likelihood_there = [&] {
        const EncodeOptions options{.symmetry = 0, .threads = 1, .turn = 0, .points = points};
        return log_probability(encode(policy, *each.problem, options), *each.problem, tree);
    };
    EXPECT_EQ(likelihood_there(), likelihood);
    std::swap(points[2], points[7]);
    EXPECT_GT(std::abs(likelihood_there() - likelihood), 1e-4);
    points.pop_back();
    EXPECT_THROW(static_cast<void>(likelihood_there()), InputError);
}

TEST(PolicyEngine, SeesADifferentPictureUnderEverySymmetry) {
    const Policy policy = Policy::random(small_config(), 4);
    const auto each = policy_case("mrcst", 12, 8);
    const Tree tree = decode(encode(policy, *each.problem), *each.problem, all_starts(*each.problem))[0].tree;
    std::vector<double> seen;
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
        const Encoded encoded(policy, *each.problem, {.symmetry = symmetry, .threads = 1});
        const double value = log_probability(encoded, *each.problem, tree);
        EXPECT_NEAR(value, Reference(policy, *each.problem, symmetry).log_probability(tree), tolerance);
        for (const double other : seen) EXPECT_GT(std::abs(value - other), 1e-4);
        seen.push_back(value);
    }
    EXPECT_THROW(Encoded(policy, *each.problem, {.symmetry = 8, .threads = 1}), InputError);
}

TEST(PolicyEngine, StopsWhenInterruptedAndSaysSo) {
    const Policy policy = Policy::random(small_config(), 4);
    const auto each = policy_case("mst", 12, 8);
    DecodeOptions options;
    int steps = 0;
    options.interrupted = [&] { return ++steps > 3; };
    const auto starts = some_starts(*each.problem, 2);
    for (const auto& rollout : decode(encode(policy, *each.problem), *each.problem, starts, options)) {
        EXPECT_FALSE(rollout.complete);
        EXPECT_EQ(rollout.tree.edges.size(), 3u);
    }
}

TEST(PolicyEngine, RefusesAnInstructionSetItDoesNotKnow) {
    const testing::UseInstructionSet use("abacus");
    EXPECT_THROW((void)Policy::random(small_config(), 1), InputError);
}

}  // namespace

}  // namespace neuroprim
