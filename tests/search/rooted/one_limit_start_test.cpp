#include "search/rooted/one_limit_start.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

struct NamedLimits {
    const char* name;
    ProblemOptions limits;
};

const std::vector<NamedLimits> several_limits = {
    {"degree and hops", {.degree = 4, .root = 0, .hops = 12}},
    {"degree and diameter", {.degree = 4, .diameter = 20}},
    {"odd diameter", {.degree = 4, .diameter = 21}},
    {"degree, hops and diameter", {.degree = 4, .root = 0, .hops = 12, .diameter = 20}},
    {"hops and diameter", {.root = 0, .hops = 10, .diameter = 16}},
    {"degree, hops and length", {.degree = 4, .root = 0, .hops = 14, .length = 2.5}},
};

TEST(OneLimitStart, KeepsAllLimitsAndIsCheaperThanConstructionsForSeveral) {
    const Instance instance = generate({.n = 300, .seed = 5});
    for (const NamedLimits& one : several_limits) {
        const auto problem = make_problem("tree", instance, one.limits);
        ASSERT_TRUE(begins_with_one_limit(*problem)) << one.name;
        const auto found = tree_from_one_limit(*problem, 1, {});
        ASSERT_TRUE(found.has_value()) << one.name;
        EXPECT_EQ(problem->violation(found->tree), std::nullopt) << one.name;
        const Tree divided = method_named("subdivision").construct(*problem, {});
        EXPECT_LT(problem->cost(found->tree), 0.85 * problem->cost(divided)) << one.name;
    }
}

TEST(OneLimitStart, NeverBreaksDegreesHopsOrTheDiameter) {
    int found_trees = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        Random random(seed, 1);
        const auto between = [&](int least, int most) {
            return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least + 1)));
        };
        const Instance instance = generate({.n = static_cast<Vertex>(between(3, 60)), .seed = seed});
        ProblemOptions limits{.degree = between(2, 4)};
        if (seed % 3 != 0) {
            limits.root = 0;
            limits.hops = between(2, 9);
        }
        if (seed % 3 != 1) limits.diameter = between(2, 12);
        const auto problem = make_problem("tree", instance, limits);
        if (!begins_with_one_limit(*problem)) continue;
        const auto found = tree_from_one_limit(*problem, 1, {});
        if (!found) continue;
        ++found_trees;
        EXPECT_EQ(problem->violation(found->tree), std::nullopt) << "seed " << seed;
    }
    EXPECT_GT(found_trees, 30);
}

TEST(OneLimitStart, DoesNotDependOnThreads) {
    const Instance instance = generate({.n = 400, .seed = 8});
    const auto problem = make_problem("tree", instance, several_limits[0].limits);
    const auto one = tree_from_one_limit(*problem, 1, {});
    const auto two = tree_from_one_limit(*problem, 2, {});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->tree.edges, two->tree.edges);
}

TEST(OneLimitStart, LeavesOtherLimitsToOthers) {
    const Instance instance = generate({.n = 50, .seed = 5});
    const std::vector<ProblemOptions> others = {{.root = 0, .hops = 5},
                                                {.degree = 3},
                                                {.degree = 3, .root = 0, .length = 2.0},
                                                {.degree = 3, .root = 0, .hops = 5, .capacity = 20}};
    for (const ProblemOptions& limits : others) {
        EXPECT_FALSE(begins_with_one_limit(*make_problem("tree", instance, limits)));
    }
}

TEST(OneLimitStart, EndsWhenTheTimeIsUp) {
    const Instance instance = generate({.n = 300, .seed = 5});
    const auto problem = make_problem("tree", instance, several_limits[0].limits);
    EXPECT_THROW(tree_from_one_limit(*problem, 1, StopToken(StopToken::Clock::now(), {})), Interrupted);
}

}  // namespace
}  // namespace neuroprim
