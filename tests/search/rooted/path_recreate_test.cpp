#include "search/rooted/path_recreate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "search/rooted/path_growth.hpp"
#include "search/rooted/path_lists.hpp"
#include "search/rooted/resource_tree.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

/// Streets in a grid, some of them missing.
Instance street_grid(Vertex side, std::uint64_t seed) {
    Random random(seed);
    std::vector<WeightedEdge> edges;
    const auto add = [&](Vertex u, Vertex v) {
        if (random.below(10) != 0) edges.push_back({u, v, static_cast<double>(50 + random.below(100))});
    };
    for (Vertex v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) add(v, v + 1);
        if (v + side < side * side) add(v, v + side);
    }
    return testing::of_edges(side * side, std::move(edges));
}

struct StreetCase {
    std::string name;
    TreeSpec spec;
};

constexpr Vertex grid_side = 9;
constexpr Vertex grid_size = grid_side * grid_side;
constexpr Vertex grid_middle = grid_size / 2;

/// A dozen terminals on the grid, the root in its middle, and one limit or several.
std::vector<StreetCase> street_cases(const Instance& instance) {
    std::vector<Vertex> terminals;
    std::vector<double> demands(grid_size, 0);
    std::vector<double> prizes(grid_size, 0);
    for (Vertex v = 3; v < grid_size; v += 6) {
        if (v == grid_middle) continue;
        bool is_reached = false;
        instance.weights.for_each_neighbour(v, [&](Vertex, double) { is_reached = true; });
        if (!is_reached) continue;
        terminals.push_back(v);
        demands[index(v)] = 1 + v / 6 % 2;
        prizes[index(v)] = 60 + 10 * (v % 17);
    }
    std::vector<int> degrees(grid_size, 3);
    for (Vertex v = 0; v < grid_size; v += 2) degrees[index(v)] = 2;
    degrees[index(grid_middle)] = 4;
    const auto with = [&](TreeSpec spec) {
        spec.coverage = Coverage::terminals;
        spec.root = grid_middle;
        spec.terminals = terminals;
        return spec;
    };
    return {
        {"capacity", with({.capacity = 8, .demands = demands})},
        {"capacity of every vertex on the way", with({.capacity = 26})},
        {"hops", with({.hops = 12})},
        {"length", with({.length = 1200})},
        {"degree", with({.degrees = degrees})},
        {"degree, hops and capacity", with({.degrees = degrees, .hops = 14, .capacity = 12, .demands = demands})},
        {"cables", with({.objective = Objective::cables, .demands = demands, .cables = {{3, 1}, {9, 2}, {20, 3}}})},
        {"prizes and capacity",
         {.coverage = Coverage::optional, .root = grid_middle, .capacity = 4, .demands = demands, .prizes = prizes}},
        {"prizes, hops and a terminal",
         {.coverage = Coverage::optional,
          .root = grid_middle,
          .hops = 7,
          .terminals = {terminals[2]},
          .prizes = prizes}},
    };
}

TEST(PathGrowth, FindsTreesOnStreetsWhereBranchesAreFew) {
    for (std::uint64_t seed = 2; seed < 8; ++seed) {  // seeds whose root has three or four streets
        const Instance instance = street_grid(grid_side, seed);
        for (const auto& [name, spec] : street_cases(instance)) {
            const Problem problem(instance, spec);
            ASSERT_TRUE(grows_by_paths(problem)) << name;
            const auto tree = grow_by_paths(problem, 1, {});
            ASSERT_TRUE(tree) << name << ", seed " << seed;
            EXPECT_EQ(problem.violation(*tree), std::nullopt) << name << ", seed " << seed;
        }
    }
}

TEST(PathRecreate, CostsAreThoseOfTheTreeAndLimitsAreKept) {
    const Instance instance = street_grid(grid_side, 3);
    for (const auto& [name, spec] : street_cases(instance)) {
        const Problem problem(instance, spec);
        const Neighbours near = rooted::lists_for_paths(problem, 1, {});
        const auto first = grow_by_paths(problem, 1, {});
        ASSERT_TRUE(first) << name;
        rooted::ResourceTree tree(problem);
        rooted::PathRecreate step(problem, near, tree);
        tree.load(*first);
        Random random(7);
        int whole = 0;
        for (int k = 0; k < 20000; ++k) {
            const double cost_before = tree.cost();
            if (!step.step(static_cast<Vertex>(random.below(grid_size)), 1 + random.below(10), random)) {
                tree.roll_back();
                ASSERT_EQ(tree.cost(), cost_before) << name;
                continue;
            }
            ++whole;
            const double cost = problem.cost(tree.tree());
            ASSERT_NEAR(tree.cost(), cost, 1e-9 * (1 + cost)) << name << ", step " << k;
            if (k % 10 == 0) {
                const auto violation = problem.violation(tree.tree());
                ASSERT_FALSE(violation) << name << ", step " << k << ": " << *violation;
            }
            // Much worse trees would lead nowhere; some worse ones are taken.
            if (tree.cost() <= 1.05 * cost_before) {
                tree.commit();
            } else {
                tree.roll_back();
                ASSERT_EQ(tree.cost(), cost_before) << name;
            }
        }
        EXPECT_GT(whole, 10000) << name;
    }
}

TEST(PathRecreate, WhatItIsForcedToLeaveOutIsNoted) {
    const Instance instance = street_grid(grid_side, 2);
    for (const auto& [name, spec] : street_cases(instance)) {
        if (spec.coverage != Coverage::terminals) continue;
        const Problem problem(instance, spec);
        const Neighbours near = rooted::lists_for_paths(problem, 1, {});
        rooted::ResourceTree tree(problem);
        rooted::PathRecreate step(problem, near, tree);
        tree.load(Tree{grid_middle, {}});
        Random random(8);
        std::vector<Vertex> missing = spec.terminals;
        for (int k = 0; k < 2000 && !missing.empty(); ++k) {
            const Vertex v = missing[random.below(missing.size())];
            const bool came = random.below(2) == 0 ? step.force(v, random) : step.make_way(v, 5, random);
            if (!came) {
                tree.roll_back();
                continue;
            }
            tree.commit();
            std::erase_if(missing, [&](Vertex u) { return tree.inside(u); });
            missing.insert(missing.end(), step.left_out().begin(), step.left_out().end());
            TreeSpec smaller = spec;
            std::erase_if(smaller.terminals, [&](Vertex u) { return !tree.inside(u); });
            const auto violation = Problem(instance, smaller).violation(tree.tree());
            ASSERT_FALSE(violation) << name << ", step " << k << ": " << *violation;
            ASSERT_EQ(smaller.terminals.size() + missing.size(), spec.terminals.size()) << name;
        }
    }
}

/// A tree through all vertices and some edges more.
Instance small_sparse_graph(Vertex size, Random& random) {
    std::vector<WeightedEdge> edges;
    std::vector<char> joined(index(size * size), 0);
    const auto add = [&](Vertex u, Vertex v) {
        if (u == v || joined[index(std::max(u, v) * size + std::min(u, v))]) return;
        joined[index(std::max(u, v) * size + std::min(u, v))] = 1;
        edges.push_back({u, v, static_cast<double>(1 + random.below(20))});
    };
    const auto any = [&](Vertex below) { return static_cast<Vertex>(random.below(index(below))); };
    for (Vertex v = 1; v < size; ++v) add(any(v), v);
    for (Vertex k = 0; k < size; ++k) add(any(size), any(size));
    return testing::of_edges(size, std::move(edges));
}

TreeSpec spec_for_paths(Vertex size, Random& random) {
    TreeSpec spec;
    spec.root = static_cast<Vertex>(random.below(index(size)));
    const std::uint64_t coverage = random.below(5);
    spec.coverage = coverage < 3 ? Coverage::terminals : coverage == 3 ? Coverage::all : Coverage::optional;
    for (Vertex v = 0; v < size; ++v) {
        if (spec.coverage == Coverage::terminals && random.below(2) == 0) spec.terminals.push_back(v);
        if (spec.coverage == Coverage::optional) spec.prizes.push_back(static_cast<double>(random.below(15)));
    }
    if (spec.coverage == Coverage::terminals && spec.terminals.empty()) spec.terminals = {*spec.root};
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
        const std::uint64_t kind = random.below(4);
        if (kind == 0) spec.hops = 1 + static_cast<int>(random.below(4));
        if (kind == 1) spec.length = static_cast<double>(8 + random.below(40));
        if (kind == 2) {
            spec.degrees.clear();
            for (Vertex v = 0; v < size; ++v) spec.degrees.push_back(1 + static_cast<int>(random.below(3)));
        }
        if (kind == 3) {
            spec.capacity = 2 + static_cast<double>(random.below(4));
            spec.demands.clear();
            for (Vertex v = 0; v < size; ++v) spec.demands.push_back(static_cast<double>(random.below(3)));
        }
    }
    return spec;
}

TEST(PathGrowth, SmallSparseGraphsHaveATreeWhereverBruteForceFindsOne) {
    Random random(5);
    int feasible = 0;
    int found = 0;
    int optimal = 0;
    int refused = 0;
    for (int round = 0; round < 150; ++round) {
        const auto size = static_cast<Vertex>(5 + round % 3);
        const Instance instance = small_sparse_graph(size, random);
        const TreeSpec spec = spec_for_paths(size, random);
        const Problem problem(instance, spec);
        const std::optional<double> least = testing::optimum(problem);
        if (problem.infeasibility_certificate()) {
            ASSERT_FALSE(least) << round << ": " << *problem.infeasibility_certificate();
            ++refused;
            continue;
        }
        if (!least) {
            EXPECT_THROW((void)solve(problem, {.time_limit = {}, .max_iterations = 10}), Infeasible) << round;
            continue;
        }
        ++feasible;
        if (grow_by_paths(problem, 1, {})) ++found;
        const Solution solution = solve(problem, {.time_limit = {}, .max_iterations = 2000});
        EXPECT_EQ(problem.violation(solution.tree), std::nullopt) << round;
        EXPECT_GE(solution.cost, *least - 1e-9) << round;
        EXPECT_LE(solution.bound.value_or(0), *least + 1e-9) << round;
        if (solution.cost <= *least + 1e-9) ++optimal;
    }
    EXPECT_GT(feasible, 70);
    EXPECT_GT(refused, 5);
    EXPECT_EQ(found, feasible);
    EXPECT_EQ(optimal, feasible);
}

TEST(Infeasibility, KnowsWhatTheRootsEdgesIntoAPartOfTheGraphCarry) {
    // Two parts meet in vertex 0; three of four vertices lie behind one edge.
    const Instance instance = testing::of_edges(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 4, 1}});
    TreeSpec spec{.root = 0, .capacity = 2};
    EXPECT_EQ(infeasibility(spec, instance),
              "the demands around vertex 1 add up to 3, but the edges of root 0 that lead there carry 2 together");
    spec.capacity = 3;
    EXPECT_EQ(infeasibility(spec, instance), std::nullopt);
}

}  // namespace
}  // namespace neuroprim
