#include "bounds/routing_bound.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "bounds/graph_distances.hpp"
#include "bounds/projections.hpp"
#include "neuroprim/generate.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::of_edges;
using testing::of_points;

constexpr std::array shapes = {Shape::uniform, Shape::clustered, Shape::grid, Shape::matrix, Shape::sparse};

double least_cost(const Problem& problem) {
    double least = Weights::infinity;
    std::vector<Vertex> all;
    for (Vertex v = 0; v < problem.size(); ++v) all.push_back(v);
    testing::for_each_tree(all, [&](const Tree& tree) { least = std::min(least, problem.cost(tree)); });
    return least;
}

/// The bound run to its end; nothing where it does not suit the problem.
std::optional<double> routing_bound(const Problem& problem) {
    if (!routing_bound_suits(problem)) return std::nullopt;
    const auto bound = make_routing_bound(problem);
    while (bound->advance(Weights::infinity, StopToken())) {
    }
    return bound->value();
}

double distance_sum(const Weights& weights) {
    double sum = 0;
    for (Vertex u = 0; u < weights.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) sum += weights(u, v);
    }
    return sum;
}

TEST(RoutingBound, NeverExceedsTheOptimum) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        for (const Vertex n : {3, 4, 5, 6}) {
            const Instance instance = generate(
                {.shape = shapes[seed % 5], .n = n, .average_degree = 3.5, .requirements = true, .seed = seed});
            for (const char* name : {"mrcst", "ocst"}) {
                const auto problem = make_problem(name, instance);
                const double least = least_cost(*problem);
                const auto bound = routing_bound(*problem);
                ASSERT_TRUE(bound);
                EXPECT_LE(*bound, least * (1 + 1e-12)) << name << " n " << n << " seed " << seed;
                // Told of the optimum it may give centroids up, and must stay below it all the same.
                const auto process = make_bound_process(*problem);
                double before = 0;
                for (bool more = true; more;) {
                    more = process->advance(least, StopToken());
                    EXPECT_GE(process->value(), before);
                    before = process->value();
                }
                EXPECT_LE(process->value(), least * (1 + 1e-12));
                EXPECT_GE(process->value(), std::min(*bound, least) * (1 - 1e-12));
            }
        }
    }
}

TEST(RoutingBound, HoldsWhereRoundingBreaksTheTriangleInequality) {
    // 0.6 rounds to 1 and 1.2 to 1, 0.4 to 0 and 0.8 to 1: detours can be shorter than edges.
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Instance rough = generate({.n = 6, .scale = 3, .seed = seed});
        Instance instance = rough;
        instance.weights = rough.weights.with_metric(Metric::euc_2d);
        const auto problem = make_problem("mrcst", instance);
        EXPECT_LE(*routing_bound(*problem), least_cost(*problem) * (1 + 1e-12));
    }
}

TEST(RoutingBound, IsExactForAPathOfPointsOnALine) {
    const Instance instance = of_points({{0, 0}, {1, 0}, {3, 0}, {4, 0}, {9, 0}});
    const auto problem = make_problem("mrcst", instance);
    EXPECT_NEAR(*routing_bound(*problem), least_cost(*problem), 1e-9);
}

TEST(RoutingBound, SeesThatAnEquilateralTriangleHasADetour) {
    // Distances say 3, any tree costs 4; through the middle vertex one pair takes the detour.
    const Instance instance = of_edges(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}});
    EXPECT_NEAR(*routing_bound(*make_problem("mrcst", instance)), 4, 1e-12);
}

TEST(RoutingBound, GetsBetterByCentroids) {
    const Instance instance = generate({.n = 60, .seed = 1});
    EXPECT_GT(*routing_bound(*make_problem("mrcst", instance)), 1.04 * distance_sum(instance.weights));
}

TEST(Projections, AreNeverAboveTheDistancesAndHardlyBelow) {
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::maximum}) {
        for (const Shape shape : {Shape::uniform, Shape::clustered}) {
            const Weights weights = generate({.shape = shape, .n = 40, .seed = 3}).weights.with_metric(metric);
            double sum = 0;
            for (std::size_t k = 0; k < projection_count(weights); ++k) sum += projected_sum(weights, k);
            EXPECT_LE(sum, distance_sum(weights) * (1 + 1e-12));
            EXPECT_GE(sum, distance_sum(weights) * (metric == Metric::euclidean ? 0.998 : 1 - 1e-12));
        }
    }
    // Two points in any direction.
    for (int degree = 0; degree < 360; ++degree) {
        const double angle = degree * 3.14159265358979 / 180;
        const Weights two = Weights::from_points({{0, 0}, {std::cos(angle), std::sin(angle)}});
        double sum = 0;
        for (std::size_t k = 0; k < projection_count(two); ++k) sum += projected_sum(two, k);
        EXPECT_LE(sum, 1 + 1e-12);
    }
}

TEST(RoutingBound, OfAHundredThousandPointsComesFromProjections) {
    const Instance instance = generate({.n = 100000, .seed = 1});
    const auto problem = make_problem("mrcst", instance);
    const auto bound = routing_bound(*problem);
    ASSERT_TRUE(bound);
    const double pairs = 100000.0 * 99999 / 2;
    EXPECT_NEAR(*bound / pairs, 0.5214, 0.005);  // the mean distance in the unit square
}

TEST(GraphDistances, AreThoseOfFloydAndWarshall) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance =
            generate({.shape = seed % 2 ? Shape::matrix : Shape::sparse, .n = 20, .seed = seed});
        std::vector<std::vector<double>> d(20, std::vector<double>(20));
        for (Vertex u = 0; u < 20; ++u) {
            for (Vertex v = 0; v < 20; ++v) d[index(u)][index(v)] = u == v ? 0 : instance.weights(u, v);
        }
        for (std::size_t k = 0; k < 20; ++k) {
            for (auto& row : d) {
                for (std::size_t v = 0; v < 20; ++v) row[v] = std::min(row[v], row[k] + d[k][v]);
            }
        }
        std::vector<double> row;
        for (Vertex u = 0; u < 20; ++u) {
            distances_from(instance.weights, u, row);
            for (std::size_t v = 0; v < 20; ++v) EXPECT_NEAR(row[v], d[index(u)][v], 1e-12);
        }
    }
}

TEST(RoutingBound, WorksInSlicesAndStopsForTheStopToken) {
    const Instance instance = generate({.n = 1500, .seed = 4});
    const auto problem = make_problem("mrcst", instance);
    const auto process = make_bound_process(*problem);
    const auto began = StopToken::Clock::now();
    const StopToken stop(began + std::chrono::milliseconds(60), {});
    while (!stop.expired() && process->advance(Weights::infinity, stop)) {
    }
    EXPECT_LT(std::chrono::duration<double>(StopToken::Clock::now() - began).count(), 0.6);
    EXPECT_GE(process->value(), 0);
}

}  // namespace
}  // namespace neuroprim
