#include "search/branches/branch_partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
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

/// A vertex, often with its subtree.
std::vector<Vertex> some_at(branches::BranchPartition& partition, Vertex v, Random& random) {
    std::vector<Vertex> vertices;
    if (random.below(2) == 0) {
        partition.add_subtree(v, vertices);
    } else {
        vertices.push_back(v);
    }
    return vertices;
}

/// Random exchanges of two or three branches: each must cost what it was said to.
void check_prices(const Instance& instance) {
    const Vertex n = instance.size();
    std::vector<double> demands(index(n));
    for (Vertex v = 0; v < n; ++v) demands[index(v)] = 1 + v % 4;
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 9, .demands = demands});
    const branches::WeightTable weights(problem.weights());
    branches::BranchPartition partition(problem, weights);
    partition.load(star(n));
    Random random(7);
    const auto vertex = [&] { return static_cast<Vertex>(1 + random.below(index(n) - 1)); };
    int made = 0;
    for (int k = 0; k < 100000; ++k) {
        std::vector<std::vector<Vertex>> moving;
        std::vector<int> chosen;
        const std::size_t count = 2 + random.below(2);
        for (std::size_t part = 0; part < count; ++part) {
            const Vertex v = vertex();
            const bool is_new = part > 0 && random.below(8) == 0;
            chosen.push_back(is_new ? -1 : partition.branch(v));
            const bool leaves = !is_new && (part == 0 || random.below(2) == 0);
            moving.push_back(leaves ? some_at(partition, v, random) : std::vector<Vertex>{});
        }
        const auto is_twice = [&](int branch) { return std::count(chosen.begin(), chosen.end(), branch) > 1; };
        if (std::any_of(chosen.begin(), chosen.end(), is_twice)) continue;
        std::vector<branches::Part> parts;
        for (std::size_t part = 0; part < count; ++part) parts.push_back({chosen[part], moving[part]});

        const double before = partition.cost();
        const double quick = partition.cost_added(parts);
        const double overload = partition.overload_added(parts);
        const auto change = partition.price(parts);
        ASSERT_NEAR(quick, change.cost, 1e-9) << "exchange " << k;
        ASSERT_GE(overload, change.overload - 1e-9);
        ASSERT_GE(change.cost, -partition.most_saved(parts) - 1e-9);
        // Rather shorter trees, so that branches grow.
        if (change.cost > 0.1 * random.uniform() || change.overload > 0.5) continue;
        partition.make();
        ++made;
        const Tree tree = tree_of(partition, n);
        ASSERT_NEAR(partition.cost(), before + change.cost, 1e-9);
        ASSERT_NEAR(partition.cost(), problem.cost(tree), 1e-9);
        ASSERT_EQ(partition.is_feasible(), !problem.violation(tree)) << "exchange " << k;
        std::set<int> branches;
        for (Vertex v = 1; v < n; ++v) branches.insert(partition.branch(v));
        ASSERT_EQ(partition.branches(), static_cast<int>(branches.size()));
    }
    EXPECT_GT(made, 1000);
}

TEST(BranchPartition, PricesAreWhatTheTreesCost) {
    check_prices(generate({.n = 24, .seed = 3}));
}

TEST(BranchPartition, PricesAreWhatTheTreesCostWithoutTheTriangleInequality) {
    constexpr Vertex n = 20;
    Random random(5);
    std::vector<double> lower(index(n * (n - 1) / 2));
    for (double& weight : lower) weight = 0.2 * random.uniform();
    Instance instance;
    instance.weights = Weights::from_lower_triangle(n, lower);
    check_prices(instance);
}

TEST(WeightTable, HoldsTheWeightsOfTheGraph) {
    const auto check = [](const Weights& weights) {
        const branches::WeightTable table(weights);
        for (Vertex u = 0; u < weights.size(); u += 7) {
            for (Vertex v = 1; v < weights.size(); v += 5) {
                if (u == v) continue;
                ASSERT_EQ(table(u, v), weights(u, v)) << u << ' ' << v;
            }
        }
    };
    check(Weights::from_edges(30, {{0, 1, 2.5}, {0, 7, 1.5}, {7, 21, 0}, {14, 6, 3}}));
    check(generate({.n = branches::WeightTable::most_vertices, .seed = 4}).weights);
    check(generate({.n = branches::WeightTable::most_vertices + 1, .seed = 4}).weights);
}

TEST(BranchWorker, FindsTheShortestTreeOfSmallGraphs) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance = generate({.n = 7, .seed = seed});
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 4, .demands = {0, 1, 2, 1, 3, 1, 2}});
        const auto near = nearest_neighbours(instance.weights, 6);
        const branches::WeightTable weights(instance.weights);
        branches::BranchWorker worker(problem, weights, near, Random(seed));
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
