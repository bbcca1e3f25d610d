#include "neuroprim/generate.hpp"

#include <gtest/gtest.h>

#include "neuroprim/error.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;

TEST(Generate, TheSameSeedGivesTheSameInstance) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::grid, Shape::matrix, Shape::sparse}) {
        const Instance a = generate({.shape = shape, .n = 20, .terminals = 5, .seed = 7});
        const Instance b = generate({.shape = shape, .n = 20, .terminals = 5, .seed = 7});
        const Instance c = generate({.shape = shape, .n = 20, .terminals = 5, .seed = 8});
        EXPECT_EQ(a.weights.edges(), b.weights.edges());
        EXPECT_EQ(a.terminals, b.terminals);
        EXPECT_NE(a.weights.edges(), c.weights.edges());
    }
}

TEST(Generate, TheFirstNumbersAreFixedForAllTime) {
    const Instance instance = generate({.n = 2, .seed = 1});
    EXPECT_DOUBLE_EQ(instance.weights.points()[0].x, 0.81161215888188476);
    EXPECT_DOUBLE_EQ(instance.weights.points()[1].y, 0.74621687061681041);
}

TEST(Generate, TerminalsDoNotMoveThePoints) {
    const Instance with = generate({.n = 30, .terminals = 10, .seed = 2});
    const Instance without = generate({.n = 30, .seed = 2});
    EXPECT_EQ(with.weights.edges(), without.weights.edges());
    EXPECT_EQ(with.terminals.size(), 10U);
}

TEST(Generate, PointsStayInTheSquare) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::grid}) {
        const Instance instance = generate({.shape = shape, .n = 500, .scale = 10, .seed = 4});
        for (const auto& [x, y] : instance.weights.points()) {
            EXPECT_TRUE(x >= 0 && x <= 10 && y >= 0 && y <= 10);
        }
    }
}

TEST(Generate, SparseGraphsAreConnected) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.shape = Shape::sparse, .n = 40, .average_degree = 2.2, .seed = seed});
        EXPECT_EQ(make_problem("mst", instance)->infeasibility_certificate(), std::nullopt);
    }
}

TEST(Generate, RefusesNumbersThatDoNotFit) {
    EXPECT_THROW((void)generate({.n = 0}), InputError);
    EXPECT_THROW((void)generate({.n = 5, .terminals = 6}), InputError);
    EXPECT_THROW((void)generate({.n = 5, .scale = -1}), InputError);
    EXPECT_THROW((void)generate({.shape = Shape::matrix, .n = 1000000}), InputError);
}

}  // namespace
}  // namespace neuroprim
