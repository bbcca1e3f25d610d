#include "neuroprim/weights.hpp"

#include <gtest/gtest.h>

#include "neuroprim/error.hpp"

namespace neuroprim {
namespace {

const std::vector<WeightedEdge> path = {{2, 1, 5}, {0, 1, 3}};

TEST(Weights, SparseEdgesAreSymmetricAndMissingOnesAreInfinite) {
    const Weights weights = Weights::from_edges(4, path);
    EXPECT_EQ(weights.form(), Weights::Form::sparse);
    EXPECT_EQ(weights(1, 2), 5);
    EXPECT_EQ(weights(2, 1), 5);
    EXPECT_FALSE(weights.has_edge(0, 2));
    EXPECT_FALSE(weights.has_edge(3, 3));
    EXPECT_FALSE(weights.is_complete());
}

TEST(Weights, OfParallelEdgesTheLightestStays) {
    const Weights weights = Weights::from_edges(3, {{0, 1, 3}, {1, 0, 2}, {0, 1, 4}});
    EXPECT_EQ(weights(0, 1), 2);
    EXPECT_EQ(weights.edge_count(), 1U);
}

TEST(Weights, AnEdgeListThatJoinsEveryPairBecomesAMatrix) {
    const Weights weights = Weights::from_edges(3, {{0, 1, 1}, {1, 2, 2}, {0, 2, 3}});
    EXPECT_EQ(weights.form(), Weights::Form::matrix);
    EXPECT_TRUE(weights.is_complete());
    EXPECT_EQ(weights(2, 0), 3);
}

TEST(Weights, NeighboursComeInIncreasingOrder) {
    const Weights weights = Weights::from_edges(5, {{4, 2, 1}, {2, 0, 2}, {3, 2, 3}, {1, 4, 1}});
    std::vector<Vertex> seen;
    weights.for_each_neighbour(2, [&](Vertex v, double) { seen.push_back(v); });
    EXPECT_EQ(seen, (std::vector<Vertex>{0, 3, 4}));
}

TEST(Weights, EdgesListsEveryPairOnce) {
    const Weights weights = Weights::from_points({{0, 0}, {1, 0}, {0, 1}});
    const std::vector<WeightedEdge> edges = weights.edges();
    ASSERT_EQ(edges.size(), 3U);
    EXPECT_EQ(edges[0], (WeightedEdge{0, 1, 1}));
    EXPECT_EQ(edges[1], (WeightedEdge{0, 2, 1}));
}

TEST(Weights, RejectsLoopsStrangersAndBadWeights) {
    EXPECT_THROW((void)Weights::from_edges(2, {{1, 1, 1}}), InputError);
    EXPECT_THROW((void)Weights::from_edges(2, {{0, 2, 1}}), InputError);
    EXPECT_THROW((void)Weights::from_edges(2, {{0, 1, -1}}), InputError);
    EXPECT_THROW((void)Weights::from_edges(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}}), InputError);
    EXPECT_THROW((void)Weights::from_lower_triangle(3, std::vector<double>{1, 2}), InputError);
}

TEST(Weights, PointsMayStayWithTheirOwner) {
    const auto owner = std::make_shared<const std::vector<Point>>(std::vector<Point>{{0, 0}, {3, 4}});
    Weights copy;
    {
        const Weights weights = Weights::from_points(std::span<const Point>(*owner), owner);
        EXPECT_EQ(weights.points().data(), owner->data());
        copy = weights.with_metric(Metric::manhattan);
        EXPECT_EQ(owner.use_count(), 3);
    }
    EXPECT_EQ(owner.use_count(), 2);
    EXPECT_EQ(copy.points().data(), owner->data());
    EXPECT_EQ(copy(0, 1), 7);
}

TEST(Weights, AMatrixMayStayWithItsOwnerWhateverItsDiagonal) {
    const double none = Weights::infinity;
    const auto owner = std::make_shared<std::vector<double>>(std::vector<double>{0, 1, 2, 1, 7, none, 2, none, -1});
    const Weights weights = Weights::from_matrix(3, *owner, owner);
    EXPECT_EQ(weights.form(), Weights::Form::matrix);
    EXPECT_EQ(weights.edges(), (std::vector<WeightedEdge>{{0, 1, 1}, {0, 2, 2}}));
    EXPECT_EQ(weights.edge_count(), 2U);
    EXPECT_FALSE(weights.is_complete());
    EXPECT_EQ(weights(1, 1), none);
}

TEST(Weights, AMatrixMustBeSymmetricAndNotNegative) {
    const auto refused = [](std::vector<double> rows) {
        EXPECT_THROW((void)Weights::from_matrix(2, rows, nullptr), InputError);
    };
    refused({0, 1, 2, 0});
    refused({0, -1, -1, 0});
    refused({0, std::numeric_limits<double>::quiet_NaN(), 1, 0});
    refused({0, 1, std::numeric_limits<double>::quiet_NaN(), 0});
    refused({0, 1, 1});
}

/// Sums of such weights are infinite, and infinity is no edge.
TEST(Weights, NumbersNearTheEndOfTheirRangeAreRefused) {
    const std::vector<double> rows = {0, 1e308, 1e308, 0};
    EXPECT_THROW(static_cast<void>(Weights::from_matrix(2, rows, nullptr)), InputError);
    EXPECT_THROW(static_cast<void>(Weights::from_edges(2, {{0, 1, 1e308}})), InputError);
    EXPECT_THROW(static_cast<void>(Weights::from_lower_triangle(2, std::vector<double>{1e308})), InputError);
    EXPECT_EQ(Weights::from_edges(2, {{0, 1, 1e150}})(0, 1), 1e150);
}

/// The text of the InputError that a check throws; empty when it finds nothing wrong.
std::string objection_to(const Weights& weights) {
    try {
        weights.check();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Weights, WhatTheOwnerOfPointsChangedIsNoticed) {
    std::vector<Point> points = {{0, 0}, {1, 0}, {0, 1}};
    const Weights weights = Weights::from_points(points, nullptr);
    EXPECT_EQ(objection_to(weights), "");
    points[2].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(objection_to(weights), "vertex 2: expected finite coordinates up to 1e+150, found (0, nan)");
    points[2].y = 1e200;
    EXPECT_NE(objection_to(weights), "");
}

TEST(Weights, WhatTheOwnerOfAMatrixChangedIsNoticed) {
    std::vector<double> rows = {0, 1, 2, 1, 0, 3, 2, 3, 0};
    const Weights weights = Weights::from_matrix(3, rows, nullptr);
    EXPECT_EQ(objection_to(weights), "");
    rows[5] = 4;
    EXPECT_EQ(objection_to(weights), "expected a symmetric matrix, found 3 from 2 to 1 and 4 from 1 to 2");
    rows[5] = rows[7] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(objection_to(weights), "edge 2-1: expected a weight of at least 0, found nan");
    rows[5] = rows[7] = Weights::infinity;
    EXPECT_EQ(objection_to(weights), "edges have come or gone since this graph was made of its matrix");
}

TEST(Weights, AMetricNeedsPoints) {
    EXPECT_THROW((void)Weights::from_edges(3, path).with_metric(Metric::manhattan), InputError);
    EXPECT_EQ(Weights::from_points({{0, 0}, {3, 4}}).with_metric(Metric::manhattan)(0, 1), 7);
}

}  // namespace
}  // namespace neuroprim
