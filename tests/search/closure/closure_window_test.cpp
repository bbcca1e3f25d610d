#include "search/closure/closure_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "neuroprim/mst.hpp"
#include "search/closure/street_problems.hpp"
#include "search/closure/union_tree.hpp"
#include "search/closure/window_rollouts.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

TEST(ClosureWindow, IsTheGraphItselfWhereNothingCanBeContracted) {
    const Instance streets = testing::chained_streets(5, 2);
    TreeSpec spec{.coverage = Coverage::terminals};
    for (Vertex v = 0; v < streets.size(); ++v) spec.terminals.push_back(v);
    const Problem problem(streets, spec);
    const ClosureWindow window(problem, {{}, spec.terminals}, {}, Random(1));
    ASSERT_EQ(window.problem().size(), streets.size());
    const auto edges = streets.weights.edges();
    const auto seen = window.problem().weights().edges();
    ASSERT_EQ(seen.size(), edges.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
        EXPECT_EQ(seen[k].u, edges[k].u);
        EXPECT_EQ(seen[k].v, edges[k].v);
        EXPECT_EQ(seen[k].weight, edges[k].weight);
    }
    const Tree tree = minimum_spanning_tree(window.problem().weights());
    EXPECT_EQ(without(window.expanded(tree), tree.edges).size(), 0U);
}

TEST(ClosureWindow, ContractsAChainIntoOneEdge) {
    // Terminals 0 and 5 at the ends of a chain, a dead end at 3.
    const Instance chain = testing::of_edges(7, {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {3, 4, 4}, {4, 5, 5}, {3, 6, 9}});
    const Problem problem(chain, {.coverage = Coverage::terminals, .terminals = {0, 5}});
    const ClosureWindow window(problem, {{}, {0, 5}}, {}, Random(1));
    EXPECT_EQ(window.problem().size(), 2);
    EXPECT_EQ(window.problem().weights()(0, 1), 15);
    EXPECT_EQ(window.expanded({0, {{0, 1}}}).size(), 5U);
}

TEST(ClosureWindow, ShowsTheJunctionWhereThreeTerminalsMeet) {
    const Instance star = testing::of_edges(7, {{0, 3, 1}, {3, 6, 1}, {1, 4, 1}, {4, 6, 1}, {2, 5, 1}, {5, 6, 1}});
    const Problem problem(star, {.coverage = Coverage::terminals, .terminals = {0, 1, 2}});
    const ClosureWindow window(problem, {{}, {0, 1, 2}}, {}, Random(1));
    ASSERT_EQ(window.problem().size(), 4);
    EXPECT_EQ(window.whole(3), 6);
    for (Vertex v = 0; v < 3; ++v) {
        EXPECT_EQ(window.problem().weights()(v, 3), 2);
        EXPECT_FALSE(window.problem().required(3));
    }
}

TEST(ClosureWindow, TreesOfAWindowKeepTheLimitsOfTheGraph) {
    const Instance streets = testing::chained_streets(8, 5);
    for (const auto& [what, spec] : testing::street_problems(streets)) {
        const Problem problem(streets, spec);
        std::vector<Vertex> shown;
        if (spec.root) shown.push_back(*spec.root);
        for (Vertex v = 0; v < streets.size(); ++v) {
            if (is_wanted(problem, v)) shown.push_back(v);
        }
        const ClosureWindow window(problem, {{}, shown}, {.way_price = 100}, Random(1));
        int feasible = 0;
        const std::vector<Tree> trees =
            window_rollouts(testing::policy_of_chance(), window.problem(), {.samples = 8}, 0, 0, {});
        for (const Tree& tree : trees) {
            const Tree whole = problem.pruned(union_tree(problem, window.expanded(tree), window.whole(tree.start)));
            feasible += problem.violation(whole) ? 0 : 1;
            if (!limits_ways(problem)) {
                EXPECT_LE(problem.cost(whole), window.problem().cost(tree) * (1 + 1e-9)) << what;
            }
        }
        EXPECT_EQ(feasible, static_cast<int>(trees.size())) << what;
    }
}

TEST(UnionTree, IsTheLightestTreeOrHasTheShortestWays) {
    const Instance streets = testing::chained_streets(6, 3);
    std::vector<Edge> all;
    for (const auto& edge : streets.weights.edges()) {
        all.push_back({edge.u, edge.v});
        all.push_back({edge.v, edge.u});
    }
    const std::vector<Vertex> ends = {0, streets.size() - 1};
    const Problem free(streets, {.coverage = Coverage::terminals, .terminals = ends});
    EXPECT_NEAR(total_weight(union_tree(free, all, 0), streets.weights),
                total_weight(minimum_spanning_tree(streets.weights), streets.weights), 1e-9);
    const Problem limited(streets, {.coverage = Coverage::terminals, .root = 0, .hops = 90, .terminals = ends});
    const RootedTree tree = hang(union_tree(limited, all, 0), 0, streets.size());
    for (const auto& [u, v] : all) EXPECT_LE(tree.depth[index(v)], tree.depth[index(u)] + 1);
}

TEST(ClosureWindows, AreForSparseGraphsThatMayLeaveVerticesOut) {
    const Instance streets = testing::chained_streets(9, 1);
    ASSERT_GT(streets.size(), 100);
    const TreeSpec spec{.coverage = Coverage::terminals, .root = 0, .terminals = {0, 7}};
    const auto has = [&](const Instance& instance, auto&& change) {
        TreeSpec changed = spec;
        change(changed);
        return has_closure_windows(Problem(instance, changed));
    };
    EXPECT_TRUE(has(streets, [](TreeSpec&) {}));
    EXPECT_TRUE(has(streets, [](TreeSpec& s) { s.hops = 50; }));
    EXPECT_FALSE(has(streets, [](TreeSpec& s) { s.capacity = 50; }));
    EXPECT_FALSE(has(streets, [](TreeSpec& s) { s.diameter = 50; }));
    EXPECT_FALSE(has(streets, [](TreeSpec& s) { s.coverage = Coverage::all; }));
    EXPECT_FALSE(has(testing::chained_streets(4, 1), [](TreeSpec&) {})) << "all of it is seen at once";
    EXPECT_FALSE(has(testing::chained_streets(60, 1), [](TreeSpec&) {})) << "putting windows back takes too long";
    EXPECT_FALSE(has(testing::of_points(std::vector<Point>(120)), [](TreeSpec&) {})) << "complete";
}

}  // namespace
}  // namespace neuroprim
