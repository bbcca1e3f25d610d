#include "search/branches/branch_partition.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/branches/branch_search.hpp"
#include "search/branches/branch_worker.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

Tree star(Vertex n) {
    Tree tree{0, {}};
    for (Vertex v = 1; v < n; ++v) tree.edges.push_back({0, v});
    return tree;
}

Tree tree_of(const branches::BranchPartition& partition, Vertex n) {
    Tree tree{partition.root(), {}};
    for (Vertex v = 0; v < n; ++v) {
        if (v != partition.root()) tree.edges.push_back({partition.parent(v), v});
    }
    return grown_from(tree, partition.root(), n);
}

TEST(BranchPartition, PricesAreWhatTheTreesCost) {
    constexpr Vertex n = 24;
    const Instance instance = generate({.n = n, .seed = 3});
    std::vector<double> demands(n);
    for (Vertex v = 0; v < n; ++v) demands[index(v)] = 1 + v % 4;
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 9, .demands = demands});
    branches::BranchPartition partition(problem);
    partition.load(star(n));
    Random random(7);
    int made = 0;
    for (int k = 0; k < 100000; ++k) {
        const auto v = static_cast<Vertex>(1 + random.below(n - 1));
        const auto w = static_cast<Vertex>(1 + random.below(n - 1));
        const int from = partition.branch(v);
        const int to = random.below(8) == 0 ? -1 : partition.branch(w);
        if (from == to) continue;
        const auto subtree = partition.subtree(v);
        const std::vector<Vertex> out(subtree.begin(), subtree.end());
        const std::vector<Vertex> in =
            to >= 0 && random.below(2) == 0 ? std::vector<Vertex>{w} : std::vector<Vertex>{};
        const double before = partition.cost();
        const auto change = partition.price(from, out, to, in);
        // Rather shorter trees, so that branches grow.
        if (change.cost > 0.1 * random.uniform() || change.overload > 0.5) continue;
        partition.make();
        ++made;
        const Tree tree = tree_of(partition, n);
        ASSERT_NEAR(partition.cost(), before + change.cost, 1e-9);
        ASSERT_NEAR(partition.cost(), problem.cost(tree), 1e-9);
        ASSERT_EQ(partition.is_feasible(), !problem.violation(tree)) << "move " << k;
    }
    EXPECT_GT(made, 1000);
}

TEST(BranchWorker, FindsTheShortestTreeOfSmallGraphs) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance = generate({.n = 7, .seed = seed});
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 4, .demands = {0, 1, 2, 1, 3, 1, 2}});
        const auto near = nearest_neighbours(instance.weights, 6);
        branches::BranchWorker worker(problem, near, Random(seed));
        worker.adopt(star(7));
        worker.run(20000, {});
        EXPECT_FALSE(problem.violation(worker.tree()));
        EXPECT_NEAR(problem.cost(worker.tree()), worker.cost(), 1e-9);
        EXPECT_NEAR(worker.cost(), testing::optimum(problem).value(), 1e-9) << "seed " << seed;
    }
}

TEST(BranchSearch, LeavesOtherLimitsAndLargeBranchesToOthers) {
    const Instance instance = generate({.n = 200, .seed = 1});
    EXPECT_TRUE(suits_branches(Problem(instance, TreeSpec{.root = 0, .capacity = 10})));
    EXPECT_FALSE(suits_branches(Problem(instance, TreeSpec{.root = 0, .capacity = 100})));
    EXPECT_FALSE(suits_branches(Problem(instance, TreeSpec{.root = 0, .hops = 3, .capacity = 10})));
    EXPECT_FALSE(suits_branches(Problem(
        instance, TreeSpec{.coverage = Coverage::terminals, .root = 0, .capacity = 10, .terminals = {3, 4}})));
}

}  // namespace
}  // namespace neuroprim
