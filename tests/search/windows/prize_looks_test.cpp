#include "search/windows/prize_looks.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "neuroprim/generate.hpp"
#include "neuroprim/solve.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim {
namespace {

const Policy& policy_of_prizes() {
    static const Policy policy = testing::untrained_policy();
    return policy;
}

Instance with_prizes(Vertex n, std::uint64_t seed) {
    Instance instance = generate({.n = n, .seed = seed});
    for (Vertex v = 0; v < n; ++v) instance.prizes.push_back(v % 3 == 0 ? 0 : 0.02 * (1 + v % 7));
    return instance;
}

Tree path_of_all(Vertex n) {
    Tree path{0, {}};
    for (Vertex v = 1; v < n; ++v) path.edges.push_back({v - 1, v});
    return path;
}

TEST(PrizeLooks, GainWhatTheySayAndKeepRootAndTerminals) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Instance instance = with_prizes(60, seed);
        TreeSpec spec;
        spec.coverage = Coverage::optional;
        spec.prizes = instance.prizes;
        if (seed % 2 == 1) {
            spec.root = 7;
            spec.terminals = {12, 33};
        }
        const Problem problem(instance, spec);
        ASSERT_TRUE(has_prize_looks(problem));
        const Tree first = problem.pruned(path_of_all(60));
        ASSERT_EQ(problem.violation(first), std::nullopt);
        PrizeLooks looks(policy_of_prizes(), problem, first, seed, 1, {});
        double cost = problem.cost(first);
        double gain = 0;
        for (int pass = 0; pass < 3; ++pass) {
            const double gained = looks.pass({});
            EXPECT_EQ(problem.violation(looks.tree()), std::nullopt);
            EXPECT_NEAR(problem.cost(looks.tree()), cost - gained, 1e-9 * cost);
            EXPECT_GE(gained, 0);
            cost = problem.cost(looks.tree());
            gain += gained;
        }
        EXPECT_GT(gain, 0);
    }
}

TEST(PrizeLooks, DoNotDependOnThreadsButOnTheSeed) {
    const Instance instance = with_prizes(60, 9);
    const auto problem = make_problem("pcst", instance);
    const auto after = [&](std::uint64_t seed, int threads) {
        PrizeLooks looks(policy_of_prizes(), *problem, problem->pruned(path_of_all(60)), seed, threads, {});
        looks.pass({});
        return looks.tree();
    };
    EXPECT_EQ(after(1, 1), after(1, 3));
    EXPECT_NE(after(1, 1), after(2, 1));
}

TEST(PrizeLooks, StopWhenAsked) {
    const Instance instance = with_prizes(60, 9);
    const auto problem = make_problem("pcst", instance);
    PrizeLooks looks(policy_of_prizes(), *problem, problem->pruned(path_of_all(60)), 0, 1, {});
    EXPECT_EQ(looks.pass(StopToken(std::nullopt, [] { return true; })), 0);
}

TEST(PrizeLooks, RebuildTreesOfFewVerticesWithoutLimits) {
    const Instance instance = with_prizes(60, 3);
    SolveOptions options;
    options.method = "rebuild";
    options.policy = std::make_shared<const Policy>(policy_of_prizes());
    options.max_iterations = 0;
    const auto problem = make_problem("pcst", instance);
    const double first = solve(*problem, options).cost;
    options.max_iterations = 4;
    const Solution better = solve(*problem, options);
    EXPECT_EQ(better.found_by, "looks from greedy");
    EXPECT_LT(better.cost, first);
    EXPECT_FALSE(has_prize_looks(*make_problem("pcst", with_prizes(151, 3))));
    EXPECT_FALSE(has_prize_looks(*make_problem("mst", instance)));
}

}  // namespace
}  // namespace neuroprim
