#include "problems/idle_limits.hpp"

#include <gtest/gtest.h>

#include "neuroprim/generate.hpp"
#include "neuroprim/solve.hpp"
#include "problems/centred_hops.hpp"
#include "support/brute_force.hpp"
#include "support/random_specs.hpp"

namespace neuroprim {
namespace {

TEST(IdleLimits, LeaveTheSameTrees) {
    int shorter = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto [instance, spec] = testing::random_question(5, seed);
        const TreeSpec lean = without_idle_limits(spec, instance.size());
        if (lean == spec) continue;
        ++shorter;
        testing::for_each_candidate(Problem(instance, spec), [&](const Tree& tree) {
            ASSERT_EQ(violation(lean, instance, tree).has_value(), violation(spec, instance, tree).has_value())
                << "seed " << seed;
        });
    }
    EXPECT_GT(shorter, 50);
}

TEST(IdleLimits, AreThoseThatOthersKeepAnyway) {
    constexpr Vertex n = 10;
    const auto lean = [](const TreeSpec& spec) { return without_idle_limits(spec, n); };
    EXPECT_FALSE(lean({.root = 0, .hops = 4, .diameter = 8}).diameter);
    EXPECT_TRUE(lean({.root = 0, .hops = 4, .diameter = 7}).diameter);
    EXPECT_FALSE(lean({.root = 0, .hops = 5, .diameter = 5}).hops);
    EXPECT_TRUE(lean({.root = 0, .hops = 4, .diameter = 5}).hops);
    EXPECT_FALSE(lean({.root = 0, .hops = 9}).hops);
    EXPECT_FALSE(lean({.diameter = 9}).diameter);
    EXPECT_FALSE(lean({.root = 0, .capacity = 9}).capacity);
    EXPECT_TRUE(lean({.root = 0, .capacity = 8}).capacity);
    EXPECT_TRUE(lean({.degrees = std::vector<int>(n, 9)}).degrees.empty());
    EXPECT_FALSE(lean({.degrees = {9, 9, 9, 9, 9, 9, 9, 9, 9, 8}}).degrees.empty());
}

/// The search for a capacity alone serves it beside limits that say nothing; the answer tells what was asked for.
TEST(IdleLimits, AreLeftOutOfTheSearch) {
    const Instance instance = generate({.n = 30, .seed = 4});
    const SolveOptions options{.time_limit = {}, .max_iterations = 200};
    const TreeSpec loaded{.root = 3, .capacity = 6};
    TreeSpec asked = loaded;
    asked.hops = 29;
    asked.diameter = 29;
    const Solution solution = solve(Problem(instance, asked), options);
    EXPECT_EQ(solution.cost, solve(Problem(instance, loaded), options).cost);
    EXPECT_EQ(*solution.spec, asked);
    EXPECT_EQ(solution.tree.start, 3);
    EXPECT_FALSE(violation(asked, instance, solution.tree));
}

TEST(IdleLimits, ExcludedEdgesStayOut) {
    const Instance instance = generate({.n = 12, .seed = 5});
    const SolveOptions options{.time_limit = {}, .max_iterations = 200};
    TreeSpec asked{.root = 0, .hops = 11};
    const Edge edge = solve(Problem(instance, asked), options).tree.edges.front();
    asked.excluded_edges = {{std::min(edge.u, edge.v), std::max(edge.u, edge.v)}};
    EXPECT_FALSE(violation(asked, instance, solve(Problem(instance, asked), options).tree));
}

/// Hops from the root and the diameter are kept together where the tree with a chain at the root keeps the diameter.
TEST(ChainAtRoot, MakesOneLimitOfTwo) {
    constexpr Vertex n = 6;
    for (const auto& [hops, diameter] : {std::pair{2, 3}, {3, 4}, {3, 5}, {4, 5}}) {
        const TreeSpec spec{.root = 1, .hops = hops, .diameter = diameter};
        const Vertex chain = chain_at_root(spec);
        ASSERT_EQ(chain, diameter - hops);
        const Instance instance = generate({.n = n, .seed = 6});
        const Instance longer = generate({.n = n + chain, .seed = 6});
        testing::for_each_candidate(Problem(instance), [&](Tree tree) {
            const bool is_kept = !violation(spec, instance, tree);
            for (Vertex v = n; v < n + chain; ++v) tree.edges.push_back({v == n ? 1 : v - 1, v});
            ASSERT_EQ(!violation(TreeSpec{.diameter = diameter}, longer, tree), is_kept);
        });
    }
    EXPECT_EQ(chain_at_root({.diameter = 5}), 0);
    EXPECT_EQ(chain_at_root({.root = 1, .hops = 5, .diameter = 5}), 0);
}

}  // namespace
}  // namespace neuroprim
