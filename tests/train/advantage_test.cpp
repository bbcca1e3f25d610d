#include "train/advantage.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace neuroprim::train {
namespace {

const at::Tensor costs = at::tensor({1.0, 2.0, 3.0, 5.0, 5.0, 5.0}, at::kDouble).view({2, 3});

TEST(Advantages, AreDistancesFromTheMeanOfTheGraph) {
    const auto expected = at::tensor({-1.0, 0.0, 1.0, 0.0, 0.0, 0.0}, at::kDouble).view({2, 3});
    EXPECT_TRUE(at::allclose(advantages(costs, {}), expected));
}

TEST(Advantages, OfTheCheapestTreeCountAsOftenAsTheLeaderDoes) {
    const auto expected = at::tensor({-8.0, 0.0, 1.0, 0.0, 0.0, 0.0}, at::kDouble).view({2, 3});
    EXPECT_TRUE(at::allclose(advantages(costs, {8, false}), expected));
}

TEST(Advantages, WhenNormalisedDoNotDependOnTheUnitAndStayFiniteWithoutSpread) {
    const auto one = advantages(costs, {1, true});
    EXPECT_TRUE(at::allclose(one, advantages(1000 * costs, {1, true})));
    EXPECT_NEAR(one[0].square().mean().item<double>(), 1, 1e-3);
    EXPECT_EQ(one[1].abs().sum().item<double>(), 0);
}

}  // namespace
}  // namespace neuroprim::train
