#include "neuroprim/metric.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neuroprim {
namespace {

constexpr Point a{1, 2};
constexpr Point b{4, 6.6};

TEST(Metric, PlaneDistancesFollowTheirDefinitions) {
    const double euclidean = std::sqrt(9 + 4.6 * 4.6);  // 5.4918…
    EXPECT_DOUBLE_EQ(distance(Metric::euclidean, a, b), euclidean);
    EXPECT_DOUBLE_EQ(distance(Metric::manhattan, a, b), 7.6);
    EXPECT_DOUBLE_EQ(distance(Metric::maximum, a, b), 4.6);
    EXPECT_EQ(distance(Metric::euc_2d, a, b), 5);
    EXPECT_EQ(distance(Metric::ceil_2d, a, b), 6);
    EXPECT_EQ(distance(Metric::man_2d, a, b), 8);
    EXPECT_EQ(distance(Metric::max_2d, a, b), 5);
    EXPECT_EQ(distance(Metric::att, {0, 0}, {10, 0}), 4);  // √10 = 3.16, rounded up
}

TEST(Metric, GreatCircleQuarterIsAQuarterOfTheEquator) {
    const double quarter = 6371008.8 * std::acos(-1) / 2;
    EXPECT_NEAR(distance(Metric::great_circle, {0, 0}, {90, 0}), quarter, 1e-3);
    EXPECT_NEAR(distance(Metric::great_circle, {13, 90}, {-120, 0}), quarter, 1e-3);
    EXPECT_NEAR(distance(Metric::great_circle, {0, 0}, {180, 0}), 2 * quarter, 1e-3);
}

TEST(Metric, GreatCircleIsExactForNeighboursAMillimetreApart) {
    const double degree = 6371008.8 * std::acos(-1) / 180;
    EXPECT_NEAR(distance(Metric::great_circle, {0, 50}, {0, 50 + 0.001 / degree}), 0.001, 1e-9);
}

TEST(Metric, CoincidingPlacesOnTheGlobeGiveNoNan) {
    EXPECT_EQ(distance(Metric::great_circle, {12.3, 45.6}, {12.3, 45.6}), 0);
    EXPECT_EQ(distance(Metric::geo, {38.24, 20.42}, {38.24, 20.42}), 1);  // TSPLIB adds one before it cuts
}

TEST(Metric, NamesRoundTrip) {
    for (const Metric metric : all_metrics()) EXPECT_EQ(metric_from_string(to_string(metric)), metric);
    EXPECT_EQ(metric_from_string("euclidian"), std::nullopt);
}

}  // namespace
}  // namespace neuroprim
