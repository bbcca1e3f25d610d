#include "policy/planar_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "neuroprim/generate.hpp"
#include "support/instances.hpp"

namespace neuroprim::policy {

namespace {

double distance_between(Point a, Point b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// The same graph with its points forgotten.
Instance without_points(const Instance& instance) {
    std::vector<double> lower;
    for (Vertex u = 0; u < instance.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) lower.push_back(instance.weights(u, v));
    }
    Instance result;
    result.weights = Weights::from_lower_triangle(instance.size(), lower);
    return result;
}

TEST(PlanarFeatures, AreTheInstancesOwnPointsOrLayoutWhereItHasThem) {
    const Instance points = testing::paper_example();
    EXPECT_EQ(feature_points(points), (std::vector<Point>{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {-1, -0.5}}));
    Instance drawn = testing::of_edges(3, {{0, 1, 1}, {1, 2, 1}});
    drawn.layout = {{0, 0}, {5, 0}, {9, 9}};
    EXPECT_EQ(feature_points(drawn), drawn.layout);
}

TEST(PlanarFeatures, RecoverDistancesThatComeFromThePlane) {
    GenerateOptions options;
    options.n = 60;
    options.seed = 5;
    const Instance instance = generate(options);
    const auto points = feature_points(without_points(instance));
    for (Vertex u = 0; u < instance.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) {
            EXPECT_NEAR(distance_between(points[static_cast<std::size_t>(u)], points[static_cast<std::size_t>(v)]),
                        instance.weights(u, v), 1e-3);
        }
    }
}

TEST(PlanarFeatures, LayAPathOutAsALine) {
    std::vector<WeightedEdge> edges;
    for (Vertex v = 1; v < 20; ++v) edges.push_back({v - 1, v, 2.0});
    const auto points = feature_points(testing::of_edges(20, edges));
    EXPECT_NEAR(distance_between(points.front(), points.back()), 38, 0.4);
    EXPECT_NEAR(distance_between(points[4], points[5]), 2, 0.1);
}

TEST(PlanarFeatures, ResembleShortestPathsOnALargeSparseGrid) {
    constexpr Vertex side = 40;
    std::vector<WeightedEdge> edges;
    for (Vertex r = 0; r < side; ++r) {
        for (Vertex c = 0; c < side; ++c) {
            if (c + 1 < side) edges.push_back({r * side + c, r * side + c + 1, 1.0});
            if (r + 1 < side) edges.push_back({r * side + c, (r + 1) * side + c, 1.0});
        }
    }
    const Instance grid = testing::of_edges(side * side, edges);
    ASSERT_GT(grid.size(), most_fully_scaled);
    const auto points = feature_points(grid);
    double longest = 0;
    for (const auto& [u, v, weight] : edges) {
        longest = std::max(
            longest, distance_between(points[static_cast<std::size_t>(u)], points[static_cast<std::size_t>(v)]));
    }
    const double across = distance_between(points.front(), points.back());
    EXPECT_GT(across, 30);
    EXPECT_LT(longest, 4);
}

TEST(PlanarFeatures, ExistForOneVertexForEqualWeightsAndForPartsThatNothingJoins) {
    EXPECT_EQ(feature_points(testing::of_edges(1, {})).size(), 1u);
    for (const Instance& instance :
         {testing::of_edges(4, {{0, 1, 1}, {2, 3, 1}}), testing::of_edges(3, {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}}),
          testing::of_edges(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}})}) {
        for (const Point p : feature_points(instance)) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
    }
}

}  // namespace

}  // namespace neuroprim::policy
