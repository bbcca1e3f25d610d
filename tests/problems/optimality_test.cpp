#include "neuroprim/optimality.hpp"

#include <gtest/gtest.h>

namespace neuroprim {

namespace {

TEST(Optimality, IsProvenByABoundThatMeetsTheCost) {
    EXPECT_TRUE(proven(10, 10));
    EXPECT_TRUE(proven(10, 11));
    EXPECT_FALSE(proven(10, 9.9));
    EXPECT_FALSE(proven(10, std::nullopt));
}

TEST(Optimality, IsProvenByABoundThatMissesTheCostInTheLastDigits) {
    constexpr double cost = 123.456789;
    EXPECT_TRUE(proven(cost, cost * (1 - 1e-13)));
    EXPECT_FALSE(proven(cost, cost * (1 - 1e-8)));
}

TEST(Optimality, OfATreeThatCostsNothingIsProvenByZero) {
    EXPECT_TRUE(proven(0, 0));
    EXPECT_FALSE(proven(1e-300, 0));
    EXPECT_FALSE(proven(0, std::nullopt));
}

TEST(Optimality, NoBoundIsToldAboveTheCost) {
    EXPECT_EQ(bound_beside(10, 10.000000001), 10.0);
    EXPECT_EQ(bound_beside(10, 9.5), 9.5);
    EXPECT_EQ(bound_beside(-3, -3.5), -3.5);
    EXPECT_EQ(bound_beside(10, std::nullopt), std::nullopt);
}

TEST(Gap, IsAPartOfTheBoundInPercent) {
    EXPECT_DOUBLE_EQ(gap_percent(12, 10).value(), 20);
}

TEST(Gap, IsExactlyZeroWhereTheCostIsProven) {
    EXPECT_EQ(gap_percent(123.456789, 123.456789 * (1 - 1e-13)), 0.0);
    EXPECT_EQ(gap_percent(10, 11), 0.0);
    EXPECT_EQ(gap_percent(0, 0), 0.0);
}

TEST(Gap, IsNotKnownWithoutABoundOrAboveZero) {
    EXPECT_EQ(gap_percent(10, std::nullopt), std::nullopt);
    EXPECT_EQ(gap_percent(10, 0), std::nullopt);
}

}  // namespace

}  // namespace neuroprim
