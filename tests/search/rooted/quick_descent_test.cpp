#include "search/rooted/quick_descent.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {
namespace {

constexpr Vertex descended_points = 1500;

/// Limits that its moves may break.
std::vector<TreeSpec> descended_specs() {
    const std::vector<int> degrees(descended_points, 4);
    return {
        {.root = 0, .degrees = degrees, .hops = 12},
        {.degrees = degrees, .diameter = 21},
        {.diameter = 16},
        {.diameter = 15},
        {.root = 0, .hops = 10, .diameter = 15},
        {.root = 0, .hops = 8, .capacity = 40},
        {.root = 0, .hops = 14, .length = 1.5},
        {.root = 0, .capacity = 40, .diameter = 14},
    };
}

TEST(QuickDescent, MakesTreesCheaperThatKeepTheLimits) {
    const Instance instance = generate({.n = descended_points, .seed = 8});
    for (const TreeSpec& spec : descended_specs()) {
        const Problem problem(instance, spec);
        ASSERT_TRUE(suits_quick_descent(problem));
        const Tree first = method_named("subdivision").construct(problem, {});
        const Tree tree = quick_descent(problem, first, 1, {});
        EXPECT_EQ(problem.violation(tree), std::nullopt);
        EXPECT_LT(problem.cost(tree), 0.9 * problem.cost(first)) << "of diameter " << spec.diameter.value_or(0);
        EXPECT_EQ(quick_descent(problem, first, 2, {}).edges, tree.edges);
    }
}

TEST(QuickDescent, MayBeStoppedAtAnyTime) {
    const Instance instance = generate({.n = descended_points, .seed = 9});
    const Problem problem(instance, {.root = 0, .degrees = std::vector<int>(descended_points, 4), .hops = 12});
    const Tree first = method_named("subdivision").construct(problem, {});
    double before = problem.cost(first);
    EXPECT_EQ(problem.cost(quick_descent(problem, first, 1, {std::nullopt, [] { return true; }})), before);
    for (const int most_questions : {20, 30, 40, 60}) {
        int questions = 0;
        const StopToken stop(std::nullopt, [&] { return ++questions > most_questions; });
        const Tree tree = quick_descent(problem, first, 1, stop);
        EXPECT_EQ(problem.violation(tree), std::nullopt) << most_questions;
        EXPECT_LE(problem.cost(tree), before) << most_questions;
        before = problem.cost(tree);
    }
}

TEST(QuickDescent, IsForEdgesPricedByTheirWeights) {
    const Instance instance = generate({.n = 20, .seed = 1});
    const TreeSpec cables{.objective = Objective::cables, .root = 0, .hops = 4, .cables = {{2, 1}, {20, 3}}};
    EXPECT_FALSE(suits_quick_descent(Problem(instance, cables)));
    EXPECT_FALSE(suits_quick_descent(Problem(instance, {.root = 0, .hops = 4, .no_crossings = true})));
}

}  // namespace
}  // namespace neuroprim
