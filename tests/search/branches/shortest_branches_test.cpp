#include "search/branches/shortest_branches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

/// Every vertex hangs from an earlier one whose branch has room, or from the root.
Tree tree_at_random(Vertex n, int capacity, Random random) {
    Tree tree{0, {}};
    std::vector<Vertex> top(index(n), 0);
    std::vector<int> load(index(n), 0);
    for (Vertex v = 1; v < n; ++v) {
        const auto u = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(v)));
        const bool joins = u != 0 && load[index(top[index(u)])] < capacity;
        top[index(v)] = joins ? top[index(u)] : v;
        ++load[index(top[index(v)])];
        tree.edges.push_back({joins ? u : 0, v});
    }
    return tree;
}

TEST(ShortestBranches, AreSpanningTreesOfEachBranchAndTheRoot) {
    const Vertex n = 40;
    for (const auto shape : {GenerateOptions::Shape::uniform, GenerateOptions::Shape::matrix}) {
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            const Instance instance = generate({.shape = shape, .n = n, .seed = seed});
            const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = 7});
            const Tree tree = tree_at_random(n, 7, Random(seed));
            ASSERT_EQ(problem->violation(tree), std::nullopt);
            const RootedTree rooted = hang(tree, 0, n);
            std::vector<std::vector<Vertex>> branches(index(n), std::vector<Vertex>{0});
            for (Vertex v = 1; v < n; ++v) {
                Vertex top = v;
                while (rooted.parent[index(top)] != 0) top = rooted.parent[index(top)];
                branches[index(top)].push_back(v);
            }
            double shortest = 0;
            for (const auto& branch : branches) {
                const Weights part = induced(instance.weights, branch);
                if (branch.size() > 1) shortest += total_weight(minimum_spanning_tree(part), part);
            }
            const Tree spanned = with_shortest_branches(*problem, tree);
            EXPECT_EQ(problem->violation(spanned), std::nullopt);
            EXPECT_NEAR(problem->cost(spanned), shortest, 1e-9 * shortest);
            EXPECT_LT(shortest, problem->cost(tree));
        }
    }
}

TEST(ShortestBranches, LeaveTreesUnderOtherLimitsAlone) {
    const Instance instance = generate({.n = 20, .seed = 1});
    const Tree tree = tree_at_random(20, 5, Random(1));
    for (const auto& problem : {make_problem("hmst", instance, {.root = 0, .hops = 5}), make_problem("mst", instance),
                                make_problem("tree", instance, {.root = 0, .hops = 5, .capacity = 5})}) {
        EXPECT_EQ(with_shortest_branches(*problem, tree), tree) << problem->name();
    }
}

}  // namespace
}  // namespace neuroprim
