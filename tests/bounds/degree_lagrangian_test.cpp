#include "bounds/degree_lagrangian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "neuroprim/bounds.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "search/polished.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

using testing::polished;

/// The bound when it has no more to gain, or after so many slices.
double bound_after(BoundProcess& process, double upper, int slices) {
    for (int k = 0; k < slices && process.advance(upper, {}); ++k) {
    }
    return process.value();
}

TEST(DegreeLagrangian, IsNeverAboveTheOptimum) {
    int tight = 0;
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        GenerateOptions options{.n = static_cast<Vertex>(2 + seed % 6), .seed = seed};
        if (seed % 3 == 1) options.shape = GenerateOptions::Shape::matrix;
        if (seed % 3 == 2) {
            options.shape = GenerateOptions::Shape::sparse;
            options.average_degree = std::min(4.0, options.n - 1.0);
        }
        if (seed % 2 == 0) options.scale = 20, options.integers = true;
        Instance instance = generate(options);
        ProblemOptions limits;
        if (seed % 4 == 0) {
            Random random(seed);
            for (Vertex v = 0; v < instance.size(); ++v) {
                instance.degree_limits.push_back(static_cast<int>(1 + random.below(3)));
            }
        } else {
            limits.degree = seed % 4 == 1 ? 3 : 2;
        }
        const auto problem = make_problem("dcmst", instance, limits);
        const auto least = testing::optimum(*problem);
        if (!least) continue;
        ++compared;
        const auto process = make_bound_process(*problem);
        ASSERT_NE(process, nullptr);
        const double bound = bound_after(*process, *least, 3);
        EXPECT_LE(bound, *least * (1 + 1e-12)) << "seed " << seed;
        EXPECT_GE(bound, lower_bound(*problem).value() * (1 - 1e-9)) << "seed " << seed;
        if (bound >= *least * (1 - 1e-6)) ++tight;
        if (const auto tree = process->tree()) {
            EXPECT_EQ(problem->violation(*tree), std::nullopt);
        }
    }
    EXPECT_GT(compared, 80);
    EXPECT_GT(tight, compared / 2);
}

TEST(DegreeLagrangian, OverNearEdgesIsNeverAboveTheOptimum) {
    int tight = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        GenerateOptions options{.n = static_cast<Vertex>(2 + seed % 6), .seed = seed};
        if (seed % 2 == 0) options.scale = 20, options.integers = true;
        const Instance instance = generate(options);
        const auto problem = make_problem("dcmst", instance, {.degree = seed % 3 == 0 ? 3 : 2});
        const double least = testing::optimum(*problem).value();
        const auto process = make_degree_lagrangian(*problem, 0);
        const double bound = bound_after(*process, least, 3);
        EXPECT_LE(bound, least * (1 + 1e-12)) << "seed " << seed;
        EXPECT_GE(bound, lower_bound(*problem).value() * (1 - 1e-9)) << "seed " << seed;
        if (bound >= least * (1 - 1e-6)) ++tight;
    }
    EXPECT_GT(tight, 20);
}

TEST(DegreeLagrangian, OverNearEdgesComesAsFarAsOverAllEdges) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const auto shape = seed % 2 == 0 ? GenerateOptions::Shape::uniform : GenerateOptions::Shape::clustered;
        const Instance instance = generate({.shape = shape, .n = 200, .seed = seed});
        const auto problem = make_problem("dcmst", instance, {.degree = seed < 2 ? 2 : 3});
        const double cost = problem->cost(polished(*problem, 500));
        const double all = bound_after(*make_degree_lagrangian(*problem, 1000), cost, 100);
        const double near = bound_after(*make_degree_lagrangian(*problem, 0), cost, 100);
        EXPECT_LE(near, cost);
        EXPECT_NEAR(near, all, 0.003 * all) << "seed " << seed;
    }
}

TEST(DegreeLagrangian, ComesWithinTwoPercentOfPathsOfManyPoints) {
    const Instance instance = generate({.n = 4000, .seed = 2});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const double cost = problem->cost(polished(*problem, 4000));
    const double bound = bound_after(*make_bound_process(*problem), cost, 60);
    EXPECT_LE(bound, cost);
    EXPECT_GT(bound, 0.98 * cost);
}

TEST(DegreeLagrangian, StaysBelowEvenWhenTheUpperBoundIsFarOff) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.n = 7, .seed = seed});
        const auto problem = make_problem("dcmst", instance, {.degree = 2});
        const auto process = make_bound_process(*problem);
        const double least = testing::optimum(*problem).value();
        EXPECT_LE(bound_after(*process, seed % 2 == 0 ? 100 * least : INFINITY, 3), least * (1 + 1e-12));
    }
}

TEST(DegreeLagrangian, ComesWithinTwoPercentOfPathsOfAHundredPoints) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Instance instance = generate({.n = 100, .seed = seed});
        const auto problem = make_problem("dcmst", instance, {.degree = 2});
        const double cost = problem->cost(polished(*problem, 1000));
        const double bound = bound_after(*make_bound_process(*problem), cost, 100);
        EXPECT_LE(bound, cost);
        EXPECT_GT(bound, 0.98 * cost);
    }
}

TEST(DegreeLagrangian, ProvesTreesOfWholeWeightsOptimal) {
    int proven = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Instance instance = generate(
            {.shape = GenerateOptions::Shape::matrix, .n = 60, .scale = 1000, .integers = true, .seed = seed});
        const auto problem = make_problem("dcmst", instance, {.degree = 3});
        const double cost = problem->cost(polished(*problem, 500));
        const auto process = make_bound_process(*problem);
        const double bound = bound_after(*process, cost, 50);
        EXPECT_EQ(bound, std::floor(bound));
        EXPECT_LE(bound, cost);
        if (bound == cost) ++proven;
    }
    EXPECT_GE(proven, 4);
}

TEST(DegreeLagrangian, WorksInSlicesThatEndWithTheStopToken) {
    const Instance instance = generate({.n = 3000, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const auto process = make_bound_process(*problem);
    const auto expired = StopToken(StopToken::Clock::now(), nullptr);
    double before = testing::processor_milliseconds();
    EXPECT_TRUE(process->advance(100, expired));
    EXPECT_LT(testing::processor_milliseconds() - before, 10);
    EXPECT_EQ(process->value(), 0);
    for (int k = 0; k < 100 && process->value() == 0; ++k) {
        before = testing::processor_milliseconds();
        EXPECT_TRUE(process->advance(100, {}));
        EXPECT_LT(testing::processor_milliseconds() - before, 60);
    }
    EXPECT_GE(process->value(), lower_bound(*problem).value() * (1 - 1e-9));
}

TEST(DegreeLagrangian, LeavesOtherProblemsAlone) {
    const Instance instance = generate({.n = 10});
    EXPECT_FALSE(degree_lagrangian_suits(*make_problem("mst", instance)));
}

}  // namespace
}  // namespace neuroprim
