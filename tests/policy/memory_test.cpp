#include "policy/memory.hpp"

#include <gtest/gtest.h>

#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"
#include "policy/cases.hpp"

namespace neuroprim {

namespace {

using testing::policy_case;
using testing::policy_cases;
using testing::small_config;

TEST(PolicyMemory, IsKnownBeforeAnythingIsEncoded) {
    for (const int layers : {1, 2}) {
        const Policy policy = Policy::random(small_config(16, 8, layers), 1);
        for (const auto& each : policy_cases(120, 1)) {
            const std::size_t bytes = Encoded(policy, *each.problem).bytes();
            EXPECT_EQ(policy::table_bytes(policy.config(), *each.problem), bytes) << each.title;
            EXPECT_GE(memory_needed(policy, *each.problem), bytes) << each.title;
        }
        const auto each = policy_case("mrcst", 300, 1);
        const auto bytes = static_cast<double>(Encoded(policy, *each.problem).bytes());
        EXPECT_NEAR(static_cast<double>(memory_needed(policy, *each.problem)), bytes, 0.1 * bytes);
    }
}

TEST(PolicyMemory, IsMoreWithDistancesScoresAndThreads) {
    PolicyConfig config = small_config();
    const auto each = policy_case("mrcst", 300, 1);
    const std::size_t plain = memory_needed(Policy::random(config, 1), *each.problem);
    config.features = {"distance"};
    const Policy policy = Policy::random(config, 1);
    EXPECT_EQ(memory_needed(policy, *each.problem), plain + 300 * 300 * sizeof(float));
    const std::size_t greedy = memory_needed(policy, *each.problem, NeuralOptions{});
    EXPECT_GT(greedy, plain);
    EXPECT_GT(memory_needed(policy, *each.problem, NeuralOptions{.mode = DecodeMode::sample}), greedy);
    EXPECT_GT(memory_needed(policy, *each.problem, NeuralOptions{.threads = 4}), greedy);
}

TEST(PolicyMemory, AboveTheLimitIsRefusedByAMessageThatHelps) {
    const Policy policy = Policy::random(small_config(), 1);
    const auto each = policy_case("mrcst", 100, 1);
    NeuralOptions options;
    options.max_memory = memory_needed(policy, *each.problem, options);
    EXPECT_GT(solve_neurally(policy, *each.problem, options).cost, 0);
    --*options.max_memory;
    try {
        (void)solve_neurally(policy, *each.problem, options);
        FAIL() << "was not refused";
    } catch (const TooLarge& error) {
        const std::string message = error.what();
        for (const char* part : {"100 vertices", "--max-memory", "max_memory", "--method search", " MB"}) {
            EXPECT_NE(message.find(part), std::string::npos) << message;
        }
    }
    EXPECT_THROW(Encoded(policy, *each.problem, {.max_memory = 1000}), TooLarge);
}

TEST(PolicyMemory, IsNotNeededForTheSearch) {
    const auto each = policy_case("mrcst", 60, 1);
    SolveOptions options;
    options.policy = std::make_shared<const Policy>(Policy::random(small_config(), 1));
    options.max_iterations = 3;
    options.max_memory = 1;
    EXPECT_GT(solve(*each.problem, options).cost, 0);
    options.method = "greedy";
    EXPECT_THROW((void)solve(*each.problem, options), TooLarge);
}

TEST(PolicyMemory, IsLimitedToAPartOfWhatIsFree) {
    EXPECT_GT(default_max_memory(), std::size_t{1} << 20);
}

}  // namespace

}  // namespace neuroprim
