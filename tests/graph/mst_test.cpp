#include "neuroprim/mst.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/point_mst.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;

/// The plain oracle: the same distances as a matrix, where Prim's O(n²) algorithm runs.
double mst_of_matrix(const Weights& weights) {
    std::vector<double> lower;
    for (Vertex u = 0; u < weights.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) lower.push_back(weights(u, v));
    }
    const Weights matrix = Weights::from_lower_triangle(weights.size(), lower);
    return total_weight(minimum_spanning_tree(matrix), matrix);
}

double mst_of_points(const Weights& weights) {
    const Tree tree{0, point_mst(weights.points(), weights.metric(), 1)};
    EXPECT_EQ(structural_violation(tree, weights), std::nullopt);
    EXPECT_EQ(tree.edges.size() + 1, static_cast<std::size_t>(weights.size()));
    return total_weight(tree, weights);
}

TEST(MinimumSpanningTree, EqualsBruteForceOnSmallGraphs) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
            const Instance instance =
                generate({.shape = shape, .n = static_cast<Vertex>(1 + seed % 6), .seed = seed});
            const auto problem = make_problem("mst", instance);
            const Tree tree = minimum_spanning_tree(instance.weights);
            EXPECT_EQ(problem->violation(tree), std::nullopt);
            EXPECT_NEAR(problem->cost(tree), *testing::optimum(*problem), 1e-12);
        }
    }
}

TEST(PointMst, EqualsPrimForEveryMetric) {
    for (const Metric metric : all_metrics()) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const auto n = static_cast<Vertex>(1 + 37 * seed);
            // Degrees small enough to be places on the globe, many of them equal when whole-numbered.
            const Instance instance = generate({.n = n, .scale = 80, .integers = seed % 3 == 0, .seed = seed});
            const Weights weights = instance.weights.with_metric(metric);
            const double expected = mst_of_matrix(weights);
            EXPECT_NEAR(mst_of_points(weights), expected, 1e-9 * (1 + expected)) << to_string(metric) << " n=" << n;
        }
    }
}

TEST(PointMst, ClusteredAndGriddedPointsToo) {
    for (const Shape shape : {Shape::clustered, Shape::grid}) {
        const Instance instance = generate({.shape = shape, .n = 700, .scale = 100, .integers = true, .seed = 5});
        EXPECT_NEAR(mst_of_points(instance.weights), mst_of_matrix(instance.weights), 1e-9);
    }
}

TEST(PointMst, CoincidingPointsCostNothingAndTakeNoTime) {
    const Weights weights = Weights::from_points(std::vector<Point>(20000, Point{3, 4}));
    EXPECT_EQ(mst_of_points(weights), 0);
}

TEST(PointMst, PointsOnALineJoinInOrder) {
    std::vector<Point> points;
    for (int k = 0; k < 5000; ++k) points.push_back({static_cast<double>((k * 1237) % 5000), 0});
    EXPECT_EQ(mst_of_points(Weights::from_points(points)), 4999);
}

TEST(PointMst, DoesNotDependOnThreads) {
    const Instance instance = generate({.n = 20000, .scale = 300, .integers = true, .seed = 9});
    const Tree one = minimum_spanning_tree(instance.weights, 1);
    EXPECT_EQ(minimum_spanning_tree(instance.weights, 2), one);
    EXPECT_EQ(minimum_spanning_tree(instance.weights, 5), one);
}

TEST(MinimumSpanningTree, OfADisconnectedGraphIsInfeasible) {
    EXPECT_THROW((void)minimum_spanning_tree(Weights::from_edges(4, {{0, 1, 1}, {2, 3, 1}})), Infeasible);
    const double inf = Weights::infinity;
    EXPECT_THROW((void)minimum_spanning_tree(Weights::from_lower_triangle(3, std::vector<double>{1, inf, inf})),
                 Infeasible);
}

TEST(Induced, KeepsTheWeightsBetweenTheChosen) {
    const std::vector<Vertex> chosen = {1, 3, 4};
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance = generate({.shape = shape, .n = 6, .seed = 3});
        const Weights part = induced(instance.weights, chosen);
        for (Vertex u = 0; u < 3; ++u) {
            for (Vertex v = 0; v < 3; ++v) {
                if (u == v) continue;
                EXPECT_EQ(part(u, v),
                          instance.weights(chosen[static_cast<std::size_t>(u)], chosen[static_cast<std::size_t>(v)]));
            }
        }
    }
}

}  // namespace
}  // namespace neuroprim
