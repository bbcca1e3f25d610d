#include "heuristics/quick_degrees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heuristics/quick_paths.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/random.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;

TEST(QuickPaths, AreHamiltonianPaths) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::grid, Shape::matrix}) {
        for (const Vertex n : {1, 2, 3, 4, 9, 100, 500}) {
            const Instance instance = generate({.shape = shape, .n = n, .seed = 3});
            const auto problem = make_problem("dcmst", instance, {.degree = 2});
            EXPECT_EQ(problem->violation(greedy_edge_path(instance.weights)), std::nullopt);
            if (shape != Shape::matrix) {
                EXPECT_EQ(problem->violation(curve_path(instance.weights)), std::nullopt);
                EXPECT_EQ(problem->violation(greedy_cell_path(instance.weights)), std::nullopt);
            }
            EXPECT_EQ(problem->violation(quick_degree_limited_tree(*problem).value()), std::nullopt);
            EXPECT_EQ(hasty_degree_limited_tree(*problem).has_value(), shape != Shape::matrix);
        }
    }
}

TEST(QuickPaths, TakeCoincidingPoints) {
    const Instance instance = testing::of_points(std::vector<Point>(20, Point{2, 3}));
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    EXPECT_EQ(problem->violation(greedy_edge_path(instance.weights)), std::nullopt);
    EXPECT_EQ(problem->violation(curve_path(instance.weights)), std::nullopt);
}

TEST(QuickPaths, AreAsShortAsTheirContractSays) {
    const Instance instance = generate({.n = 10'000, .seed = 1});
    // The shortest path through n random points of the unit square is about 0.7124 √n long.
    const double expected = 0.7124 * std::sqrt(10'000.0);
    EXPECT_LT(total_weight(curve_path(instance.weights), instance.weights), 1.45 * expected);
    EXPECT_LT(total_weight(greedy_edge_path(instance.weights), instance.weights), 1.22 * expected);
    EXPECT_LT(total_weight(greedy_cell_path(instance.weights), instance.weights), 1.28 * expected);
}

TEST(QuickPaths, OfGreedyEdgesDoNotDependOnThreads) {
    const Instance instance = generate({.n = 3000, .seed = 2});
    EXPECT_EQ(greedy_edge_path(instance.weights, 1), greedy_edge_path(instance.weights, 3));
    EXPECT_EQ(greedy_cell_path(instance.weights, 1), greedy_cell_path(instance.weights, 3));
}

TEST(QuickPaths, AlongTheCurveGoThroughALatticeWithoutJumps) {
    std::vector<Point> points;
    for (int x = 0; x < 16; ++x) {
        for (int y = 0; y < 16; ++y) points.push_back({x * 1.0, y * 1.0});
    }
    const Instance instance = testing::of_points(points);
    for (const auto& [u, v] : curve_path(instance.weights).edges) EXPECT_DOUBLE_EQ(instance.weights(u, v), 1);
}

TEST(QuickDegrees, KeepTheLimitsOrSayNothing) {
    int built = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Shape shape = seed % 2 == 0 ? Shape::clustered : Shape::matrix;
        Instance instance = generate({.shape = shape, .n = 100, .seed = seed});
        Random random(seed);
        for (Vertex v = 0; v < 100; ++v) instance.degree_limits.push_back(static_cast<int>(2 + random.below(3)));
        const auto mixed = make_problem("dcmst", instance, {});
        const auto three = make_problem("dcmst", instance, {.degree = 3});
        for (const auto* problem : {mixed.get(), three.get()}) {
            const auto tree = quick_degree_limited_tree(*problem);
            if (!tree) continue;
            ++built;
            EXPECT_EQ(problem->violation(*tree), std::nullopt);
        }
    }
    EXPECT_GT(built, 50);
}

TEST(QuickDegrees, AreLighterThanPrimsGrowthOnPoints) {
    const Instance instance = generate({.n = 2000, .seed = 4});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    const Tree grown = method_named("degree-prim").construct(*problem, {});
    EXPECT_LT(problem->cost(quick_degree_limited_tree(*problem).value()), problem->cost(grown));
}

}  // namespace
}  // namespace neuroprim
