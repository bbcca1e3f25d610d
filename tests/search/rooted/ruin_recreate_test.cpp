#include "search/rooted/ruin_recreate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim {
namespace {

struct Case {
    std::string name;
    TreeSpec spec;
};

constexpr Vertex n = 24;

/// One or more limits of each kind, on 24 points.
std::vector<Case> cases() {
    std::vector<double> demands(n);
    std::vector<int> groups(n);
    std::vector<double> prizes(n);
    for (Vertex v = 0; v < n; ++v) {
        demands[index(v)] = 1 + v % 3;
        groups[index(v)] = v == 0 ? -1 : v % 6;
        prizes[index(v)] = 0.05 * (v % 5);
    }
    std::vector<int> degrees(n, 3);
    degrees[0] = n;
    return {
        {"hops", {.root = 0, .hops = 3}},
        {"length", {.root = 0, .length = 1.6}},
        {"capacity", {.root = 0, .capacity = 9, .demands = demands}},
        {"even diameter", {.diameter = 6}},
        {"odd diameter", {.diameter = 5}},
        {"degree and diameter", {.degrees = std::vector<int>(n, 4), .diameter = 7}},
        {"hops and even diameter", {.root = 0, .hops = 4, .diameter = 6}},
        {"hops and odd diameter", {.root = 0, .hops = 3, .diameter = 5}},
        {"degree, hops and diameter", {.root = 0, .degrees = std::vector<int>(n, 4), .hops = 5, .diameter = 7}},
        {"hops and capacity and diameter", {.root = 0, .hops = 4, .capacity = 9, .diameter = 6, .demands = demands}},
        {"length and diameter", {.root = 0, .length = 1.6, .diameter = 7}},
        {"cables and diameter",
         {.objective = Objective::cables, .root = 0, .diameter = 6, .cables = {{2, 1}, {12, 3}}}},
        {"groups, hops and diameter",
         {.coverage = Coverage::groups, .root = 0, .hops = 3, .diameter = 4, .groups = groups}},
        {"diameter without crossings", {.diameter = 9, .no_crossings = true}},
        {"hops, capacity and degree", {.root = 0, .degrees = degrees, .hops = 4, .capacity = 14, .demands = demands}},
        {"cables", {.objective = Objective::cables, .root = 0, .cables = {{2, 1}, {5, 1.7}, {12, 3}}}},
        {"cables and hops", {.objective = Objective::cables, .root = 0, .hops = 4, .cables = {{2, 1}, {12, 3}}}},
        {"routing cost and degree", {.objective = Objective::routing_cost, .degrees = std::vector<int>(n, 4)}},
        {"groups and hops", {.coverage = Coverage::groups, .root = 0, .hops = 3, .groups = groups}},
        {"prizes and capacity", {.coverage = Coverage::optional, .root = 0, .capacity = 5, .prizes = prizes}},
        {"included edges and hops", {.root = 0, .hops = 4, .included_edges = {{3, 7}, {7, 9}}}},
    };
}

Tree first_tree(const Problem& problem) {
    return solve(problem, {.time_limit = {}, .max_iterations = 1}).tree;
}

TEST(RuinRecreate, CostsAreThoseOfTheTreeAndLimitsAreKept) {
    const Instance instance = generate({.n = n, .seed = 3});
    const auto near = nearest_neighbours(instance.weights, 8);
    for (const auto& [name, spec] : cases()) {
        const Problem problem(instance, spec);
        ASSERT_TRUE(rooted::ResourceTree::supports(problem)) << name;
        rooted::ResourceTree tree(problem);
        rooted::RuinRecreate step(problem, near, tree);
        tree.load(first_tree(problem));
        Random random(7);
        int whole = 0;
        for (int k = 0; k < 100000; ++k) {
            const auto seed = static_cast<Vertex>(random.below(n));
            const bool limits_hops = spec.hops || spec.diameter;
            const bool done = limits_hops && random.below(4) == 0 ? step.promote(seed, random)
                                                                  : step.step(seed, 1 + random.below(10), random);
            if (!done) {
                tree.roll_back();
                continue;
            }
            ++whole;
            tree.commit();
            const Tree now = tree.tree();
            const double cost = problem.cost(now);
            ASSERT_NEAR(tree.cost(), cost, 1e-9 * cost) << name << ", step " << k;
            if (k % 50 != 0) continue;
            const auto violation = problem.violation(now);
            ASSERT_FALSE(violation) << name << ", step " << k << ": " << *violation;
        }
        EXPECT_GT(whole, 10000) << name;
    }
}

TEST(RuinRecreate, RollingBackGivesTheSameTree) {
    const Instance instance = generate({.n = n, .seed = 4});
    const auto near = nearest_neighbours(instance.weights, 8);
    for (const auto& [name, spec] : cases()) {
        const Problem problem(instance, spec);
        rooted::ResourceTree tree(problem);
        rooted::RuinRecreate step(problem, near, tree);
        tree.load(first_tree(problem));
        Random random(8);
        for (int k = 0; k < 2000; ++k) {
            const double cost = tree.cost();
            std::vector<Vertex> parents;
            for (Vertex v = 0; v < n; ++v) parents.push_back(tree.inside(v) ? tree.parent(v) : v);
            const Vertex root = tree.root();
            if (rooted::ResourceTree::has_centre(spec) && k % 3 == 0) {
                const auto centre = static_cast<Vertex>(random.below(n));
                const auto twin = static_cast<Vertex>(*spec.diameter % 2 == 0 ? no_vertex : (centre + 1) % n);
                if (!step.move_centre(centre, twin, random)) tree.roll_back();
            }
            for (int inner = 0; inner < 3; ++inner) {
                if (!step.step(static_cast<Vertex>(random.below(n)), 1 + random.below(10), random)) break;
            }
            tree.roll_back();
            ASSERT_EQ(tree.cost(), cost) << name;
            ASSERT_EQ(tree.root(), root) << name;
            for (Vertex v = 0; v < n; ++v) {
                ASSERT_EQ(tree.inside(v) ? tree.parent(v) : v, parents[index(v)]) << name;
            }
            if (step.step(static_cast<Vertex>(random.below(n)), 3, random)) {
                tree.commit();
            } else {
                tree.roll_back();
            }
        }
    }
}

TEST(RuinRecreate, ANewCentreKeepsTheDiameter) {
    const Instance instance = generate({.n = n, .seed = 5});
    const auto near = nearest_neighbours(instance.weights, 8);
    for (const int diameter : {4, 5, 6, 7}) {
        const Problem problem(instance, TreeSpec{.diameter = diameter});
        rooted::ResourceTree tree(problem);
        rooted::RuinRecreate step(problem, near, tree);
        tree.load(first_tree(problem));
        Random random(9);
        int moved = 0;
        for (int k = 0; k < 3000; ++k) {
            const auto centre = static_cast<Vertex>(random.below(n));
            const auto twin = static_cast<Vertex>(
                diameter % 2 == 0 ? no_vertex : (centre + 1 + static_cast<Vertex>(random.below(n - 1))) % n);
            if (!step.move_centre(centre, twin, random)) {
                tree.roll_back();
                continue;
            }
            ++moved;
            tree.commit();
            const Tree now = tree.tree();
            ASSERT_NEAR(tree.cost(), problem.cost(now), 1e-9 * tree.cost());
            const auto violation = problem.violation(now);
            ASSERT_FALSE(violation) << *violation;
        }
        EXPECT_GT(moved, 1000);
    }
}

TEST(RuinRecreate, NamesEveryVertexThatHangsElsewhere) {
    const Instance instance = generate({.n = n, .seed = 6});
    const auto near = nearest_neighbours(instance.weights, 8);
    for (const auto& [name, spec] : cases()) {
        const Problem problem(instance, spec);
        rooted::ResourceTree tree(problem);
        rooted::RuinRecreate step(problem, near, tree);
        tree.load(first_tree(problem));
        std::vector<Vertex> parents;
        for (Vertex v = 0; v < n; ++v) parents.push_back(tree.parent(v));
        Random random(10);
        for (int k = 0; k < 1000; ++k) {
            const auto v = static_cast<Vertex>(random.below(n));
            const auto twin = static_cast<Vertex>(spec.diameter.value_or(0) % 2 == 0 ? no_vertex : (v + 1) % n);
            const bool moves = rooted::ResourceTree::has_centre(spec) && k % 3 == 0;
            if (!(moves ? step.move_centre(v, twin, random) : step.step(v, 1 + random.below(10), random))) {
                tree.roll_back();
                continue;
            }
            tree.for_each_changed([&](Vertex u) { parents[index(u)] = tree.parent(u); });
            tree.commit();
            for (Vertex u = 0; u < n; ++u) ASSERT_EQ(tree.parent(u), parents[index(u)]) << name;
        }
    }
}

}  // namespace
}  // namespace neuroprim
