#include "search/branches/branch_dives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/branches/branch_window.hpp"
#include "search/branches/branch_worker.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

using branches::BranchPool;
using branches::BranchTree;
using branches::PartitionLp;
using branches::WeightTable;

Instance whole_random_weights(Vertex n, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> lower(index(n * (n - 1) / 2));
    for (double& weight : lower) weight = static_cast<double>(random.below(101));
    Instance instance;
    instance.weights = Weights::from_lower_triangle(n, lower);
    return instance;
}

std::vector<double> random_demands(Vertex n, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> demands(index(n), 0);
    for (Vertex v = 1; v < n; ++v) demands[index(v)] = static_cast<double>(random.below(101));
    return demands;
}

struct PricedBranch {
    std::vector<Vertex> vertices;
    double cost;
};

/// All sets of vertices without the root 0 that a branch can carry.
std::vector<PricedBranch> all_branches(const Problem& problem) {
    const WeightTable weights(problem.weights());
    std::vector<PricedBranch> result;
    for (unsigned set = 2; set < 1U << problem.size(); set += 2) {
        BranchTree tree;
        double load = 0;
        for (Vertex v = 1; v < problem.size(); ++v) {
            if ((set >> v & 1U) == 0) continue;
            tree.members.push_back(v);
            load += problem.spec().demand(v);
        }
        if (load > *problem.spec().capacity) continue;
        tree.span(weights, 0);
        result.push_back({tree.members, tree.cost});
    }
    return result;
}

Tree all_at_the_root(Vertex n) {
    Tree tree{0, {}};
    for (Vertex v = 1; v < n; ++v) tree.edges.push_back({0, v});
    return tree;
}

TEST(BranchTree, WithOneMoreVertexCostsWhatAllOfThemDo) {
    constexpr Vertex n = 30;
    for (const Instance& instance : {whole_random_weights(n, 3), generate({.n = n, .seed = 3})}) {
        const WeightTable weights(instance.weights);
        Random random(2);
        std::vector<double> scratch;
        for (int round = 0; round < 1000; ++round) {
            std::set<Vertex> some;
            while (some.size() < 2 + random.below(8)) some.insert(static_cast<Vertex>(1 + random.below(n - 1)));
            const Vertex last = *some.begin();
            BranchTree all;
            BranchTree rest;
            all.members.assign(some.begin(), some.end());
            rest.members.assign(std::next(some.begin()), some.end());
            all.span(weights, 0);
            rest.span(weights, 0);
            ASSERT_NEAR(rest.cost_with(last, weights, 0, scratch), all.cost, 1e-9);
        }
    }
}

TEST(BranchPool, HoldsEverySetOnce) {
    BranchPool pool(10);
    EXPECT_TRUE(pool.add(std::vector<Vertex>{1, 2, 5}, 4));
    EXPECT_FALSE(pool.add(std::vector<Vertex>{5, 1, 2}, 4));
    EXPECT_TRUE(pool.add(std::vector<Vertex>{1, 2}, 3));
    EXPECT_EQ(pool.size(), 2U);
    EXPECT_EQ(pool.vertex_count(), 5U);
    pool.keep_if([](std::span<const Vertex>, double cost) { return cost < 4; });
    ASSERT_EQ(pool.size(), 1U);
    EXPECT_EQ(pool.vertices(0).size(), 2U);
    EXPECT_EQ(pool.cost(0), 3);
    EXPECT_TRUE(pool.add(std::vector<Vertex>{1, 2, 5}, 4));
}

/// A feasible choice and feasible prices of equal worth prove each other optimal.
TEST(PartitionLp, SaysWhenColumnsLeadNowhere) {
    const std::vector<double> alone = {5, 6, 7};
    PartitionLp lp(alone);
    const std::vector<Vertex> pair = {0, 2};
    ASSERT_TRUE(lp.enter(pair, 8));
    const double value = lp.value();
    // A column of the basis has no reduced cost: entering it once more gains nothing, however often.
    int entered = 0;
    while (entered < 100 && lp.enter(pair, 8)) ++entered;
    EXPECT_EQ(entered, 3);
    EXPECT_DOUBLE_EQ(lp.value(), value);
    const std::vector<Vertex> all = {0, 1, 2};
    EXPECT_TRUE(lp.enter(all, 9)) << "a gain ends the stall";
    EXPECT_LT(lp.value(), value - 1);
}

TEST(PartitionLp, EndsWithChoiceAndPricesOfEqualWorth) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        constexpr Vertex n = 12;
        const Instance instance = whole_random_weights(n, seed);
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 200, .demands = random_demands(n, seed)});
        const auto branches = all_branches(problem);
        std::vector<double> alone(n, 0);
        for (Vertex v = 1; v < n; ++v) alone[index(v)] = instance.weights(0, v);
        PartitionLp lp(alone);
        const auto least = [&] {
            return std::min_element(branches.begin(), branches.end(), [&](const auto& a, const auto& b) {
                return lp.reduced_cost(a.vertices, a.cost) < lp.reduced_cost(b.vertices, b.cost);
            });
        };
        int pivots = 0;
        for (auto next = least(); lp.reduced_cost(next->vertices, next->cost) < -1e-9; next = least()) {
            const double before = lp.value();
            ASSERT_TRUE(lp.enter(next->vertices, next->cost));
            ASSERT_LT(lp.value(), before + 1e-12);
            ASSERT_LT(++pivots, 10000);
        }
        EXPECT_GT(pivots, 5);
        for (const bool anew : {false, true}) {
            if (anew) lp.refactor();
            std::vector<double> covered(n, 0);
            for (const auto& column : lp.basis()) {
                EXPECT_GE(column.value, -1e-9);
                for (const Vertex v : column.vertices) covered[index(v)] += column.value;
            }
            double worth = 0;
            for (Vertex v = 0; v < n; ++v) {
                EXPECT_GE(covered[index(v)], 1);
                EXPECT_LE(covered[index(v)], 1 + 1e-4);
                worth += covered[index(v)] * lp.duals()[index(v)];
            }
            EXPECT_NEAR(worth, lp.value(), 1e-7);
            EXPECT_GE(lp.reduced_cost(least()->vertices, least()->cost), -1e-7);
        }
    }
}

TEST(BranchPricing, AddsBranchesThatFitAndCostLessThanTheirVerticesAreWorth) {
    constexpr Vertex n = 40;
    const Instance instance = whole_random_weights(n, 8);
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 200, .demands = random_demands(n, 8)});
    const WeightTable weights(instance.weights);
    std::vector<double> prices(n, 0);
    Random random(4);
    for (Vertex v = 1; v < n; ++v) prices[index(v)] = 20 * random.uniform();
    branches::BranchPricing pricing(problem, weights);
    BranchPool pool(n);
    for (Vertex v = 1; v < n; ++v) pricing.around(std::vector<Vertex>{v}, prices, pool);
    for (std::size_t k = 0; k < pool.size() && k < 2000; ++k) {
        const std::vector<Vertex> branch(pool.vertices(k).begin(), pool.vertices(k).end());
        pricing.around(branch, prices, pool);
    }
    ASSERT_GT(pool.size(), 100U);
    for (std::size_t k = 0; k < pool.size(); ++k) {
        BranchTree tree;
        tree.members.assign(pool.vertices(k).begin(), pool.vertices(k).end());
        double load = 0;
        double worth = 0;
        for (const Vertex v : tree.members) {
            load += problem.spec().demand(v);
            worth += prices[index(v)];
        }
        tree.span(weights, 0);
        ASSERT_LE(load, 200);
        ASSERT_NEAR(pool.cost(k), tree.cost, 1e-9);
        ASSERT_LT(tree.cost, worth);
    }
}

TEST(BranchDives, FindTheShortestTreeAmongAllBranches) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        constexpr Vertex n = 7;
        const Instance instance = seed % 2 == 0 ? whole_random_weights(n, seed) : generate({.n = n, .seed = seed});
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 4, .demands = {0, 1, 2, 1, 3, 1, 2}});
        const WeightTable weights(instance.weights);
        branches::BranchDives dives(problem, weights, Random(seed));
        double best = problem.cost(all_at_the_root(n));
        for (const auto& [vertices, cost] : all_branches(problem)) dives.offer(vertices, cost, best);
        for (int piece = 0; piece < 1000; ++piece) {
            EXPECT_GT(dives.advance(best), 0);
            if (!dives.found()) continue;
            EXPECT_FALSE(problem.violation(*dives.found()));
            EXPECT_LT(problem.cost(*dives.found()), best);
            best = problem.cost(*dives.found());
        }
        EXPECT_NEAR(best, testing::optimum(problem).value(), 1e-9) << "seed " << seed;
    }
}

/// Vertices 5 to 10 are a problem of their own, whose optimum is known.
TEST(BranchWindow, FindsShorterBranchesOfItsVertices) {
    constexpr Vertex n = 16;
    constexpr Vertex first = 5;
    int improved = 0;
    int optimal = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = whole_random_weights(n, seed);
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 200, .demands = random_demands(n, seed)});
        const WeightTable weights(instance.weights);
        std::vector<Vertex> vertices;
        std::vector<double> lower;
        std::vector<double> demands{0};
        double cost = 0;
        for (Vertex v = first; v < first + 6; ++v) {
            cost += instance.weights(0, v);
            lower.push_back(instance.weights(v, 0));
            for (const Vertex u : vertices) lower.push_back(instance.weights(v, u));
            demands.push_back(problem.spec().demand(v));
            vertices.push_back(v);
        }
        Instance part;
        part.weights = Weights::from_lower_triangle(7, lower);
        const Problem small(part, TreeSpec{.root = 0, .capacity = 200, .demands = demands});
        branches::BranchWindow window(problem, weights, BranchPool(n), vertices, cost, Random(seed));
        for (int piece = 0; piece < 1000 && !window.is_done(); ++piece) {
            EXPECT_GT(window.advance(), 0);
            if (!window.has_improved()) continue;
            ++improved;
            double sum = 0;
            std::set<Vertex> reached;
            for (const auto& [parent, v] : window.parents()) {
                sum += instance.weights(parent, v);
                reached.insert(v);
            }
            EXPECT_LT(sum, cost);
            EXPECT_EQ(std::vector<Vertex>(reached.begin(), reached.end()), vertices);
            cost = sum;
        }
        const double optimum = testing::optimum(small).value();
        EXPECT_GE(cost, optimum - 1e-9) << "seed " << seed;
        optimal += cost < optimum + 1e-9 ? 1 : 0;
    }
    EXPECT_GT(improved, 10);
    EXPECT_GE(optimal, 18);  // a few dives prove nothing
}

TEST(BranchDives, ServeGraphsWithMissingEdges) {
    // Vertices 3 and 4 have no edge to the root, 2 and 4 none to each other.
    const Weights weights =
        Weights::from_edges(5, {{0, 1, 5}, {0, 2, 4}, {1, 3, 1}, {2, 3, 2}, {1, 4, 1}, {3, 4, 3}});
    Instance instance;
    instance.weights = weights;
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 3});
    const WeightTable table(weights);
    const auto near = nearest_neighbours(weights, 4);
    branches::BranchWorker worker(problem, table, near, Random(1));
    worker.adopt({0, {{0, 1}, {1, 4}, {0, 2}, {2, 3}}});
    worker.run(200000, {});
    EXPECT_FALSE(problem.violation(worker.tree()));
    EXPECT_NEAR(worker.cost(), testing::optimum(problem).value(), 1e-9);
}

branches::BranchWorker worker_of(const Problem& problem, const WeightTable& weights, const Neighbours& near,
                                 bool dives) {
    branches::BranchWorker worker(problem, weights, near, Random(1), dives);
    worker.adopt(all_at_the_root(problem.size()));
    return worker;
}

TEST(BranchWorker, FindsShorterTreesOfRandomWeightsWithDives) {
    constexpr Vertex n = 100;
    const Instance instance = whole_random_weights(n, 1);
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 200, .demands = random_demands(n, 1)});
    const WeightTable weights(instance.weights);
    const auto near = nearest_neighbours(instance.weights, 14);
    auto with = worker_of(problem, weights, near, true);
    auto without = worker_of(problem, weights, near, false);
    with.run(4'000'000, {});
    without.run(4'000'000, {});
    EXPECT_FALSE(problem.violation(with.tree()));
    EXPECT_NEAR(problem.cost(with.tree()), with.cost(), 1e-9);
    EXPECT_LT(with.cost(), without.cost());
}

TEST(BranchWorker, DoesTheSameInManyCallsAsInOne) {
    constexpr Vertex n = 40;
    const Instance instance = whole_random_weights(n, 2);
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 200, .demands = random_demands(n, 2)});
    const WeightTable weights(instance.weights);
    const auto near = nearest_neighbours(instance.weights, 14);
    auto once = worker_of(problem, weights, near, true);
    auto often = worker_of(problem, weights, near, true);
    EXPECT_EQ(once.run(700'000, {}), 700'000);
    for (int call = 0; call < 1000; ++call) ASSERT_EQ(often.run(700, {}), 700);
    EXPECT_EQ(once.tree().edges, often.tree().edges);
}

}  // namespace
}  // namespace neuroprim
