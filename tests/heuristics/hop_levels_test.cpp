#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "heuristics/construct.hpp"
#include "heuristics/hop_flattening.hpp"
#include "heuristics/hop_hubs.hpp"
#include "heuristics/hop_improvement.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;
using testing::finds_no_tree;

/// The same graph as a list of all its edges, so that it is searched edge by edge and not through a k-d tree.
Instance as_matrix(const Instance& instance) {
    return testing::of_edges(instance.size(), instance.weights.edges());
}

double cost_of(std::string_view method, const Problem& problem) {
    return problem.cost(construct(method, problem));
}

TEST(HubCounts, GrowFromLevelToLevelAndStayBelowAllVertices) {
    for (const std::size_t n : std::vector<std::size_t>{1, 2, 3, 10, 100, 1000, 1'000'000}) {
        for (const int hops : {1, 2, 3, 5, 20}) {
            const auto counts = hub_counts(n, hops);
            EXPECT_LT(counts.size(), static_cast<std::size_t>(hops));
            EXPECT_EQ(std::adjacent_find(counts.begin(), counts.end(), std::greater_equal<>()), counts.end());
            EXPECT_LT(counts.empty() ? 0 : counts.back(), n);
        }
    }
    EXPECT_EQ(hub_counts(1000, 1).size(), 0U);
    EXPECT_EQ(hub_counts(1000, 5).size(), 4U);
}

TEST(HopLevels, KeepTheLimitAndAreNeverDearerThanTheStarOnCompleteGraphs) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::grid, Shape::matrix}) {
        for (const Vertex n : {1, 2, 3, 5, 30, 200}) {
            const Instance instance = generate({.shape = shape, .n = n, .seed = static_cast<std::uint64_t>(n)});
            for (const int hops : {1, 2, 3, 4, 7, 50, 1000}) {
                const auto problem = make_problem("hmst", instance, {.root = n / 2, .hops = hops});
                const double star = problem->cost(star_around(n / 2, required_vertices(*problem)));
                for (const char* method : {"hop-levels", "hop-descent"}) {
                    const Tree tree = construct(method, *problem);
                    EXPECT_EQ(problem->violation(tree), std::nullopt) << method << " n=" << n << " hops=" << hops;
                    EXPECT_LE(problem->cost(tree), star + 1e-9) << method;
                }
            }
        }
    }
}

TEST(HopDescent, FindsATreeOnAnIncompleteGraphWheneverThereIsOne) {
    int infeasible = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto n = static_cast<Vertex>(2 + seed % 40);
        const Instance instance = generate({.shape = Shape::sparse, .n = n, .average_degree = 3, .seed = seed});
        const auto problem = make_problem("hmst", instance, {.hops = static_cast<int>(2 + seed % 5)});
        for (const char* method : {"hop-levels", "hop-descent"}) {
            if (problem->infeasibility_certificate()) {
                ++infeasible;
                EXPECT_TRUE(finds_no_tree(method, *problem));
            } else {
                EXPECT_EQ(problem->violation(construct(method, *problem)), std::nullopt) << method;
            }
        }
    }
    EXPECT_GT(infeasible, 20);
}

TEST(HopDescent, IsOptimalOnMostTinyGraphsAndNearOnAll) {
    int optimal = 0;
    int graphs = 0;
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const auto n = static_cast<Vertex>(3 + seed % 5);
            const Instance instance =
                generate({.shape = shape, .n = n, .average_degree = std::min(4.0, n - 1.0), .seed = seed});
            const auto problem = make_problem("hmst", instance, {.hops = static_cast<int>(1 + seed % 3)});
            const auto optimum = testing::optimum(*problem);
            if (!optimum) continue;
            const double cost = cost_of("hop-descent", *problem);
            EXPECT_GE(cost, *optimum - 1e-9);
            EXPECT_LE(cost, 1.5 * *optimum);
            ++graphs;
            if (cost <= *optimum + 1e-9) ++optimal;
        }
    }
    EXPECT_GT(graphs, 80);
    EXPECT_GT(10 * optimal, 9 * graphs);
}

TEST(HopDescent, IsTheMinimumSpanningTreeWhereThatKeepsTheLimit) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance = generate({.shape = shape, .n = 60, .average_degree = 5, .seed = 3});
        const auto problem = make_problem("hmst", instance, {.root = 7, .hops = 59});
        EXPECT_NEAR(cost_of("hop-descent", *problem), cost_of("kruskal", *problem), 1e-9);
    }
}

TEST(HopDescent, IsFarShorterThanTheGreedyTreeOnRandomPoints) {
    double greedy = 0;
    double levels = 0;
    double descent = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance = generate({.n = 100, .seed = seed});
        const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 4});
        greedy += cost_of("hop-prim", *problem);
        levels += cost_of("hop-levels", *problem);
        descent += cost_of("hop-descent", *problem);
        EXPECT_LT(3 * cost_of("hop-descent", *problem), 2 * cost_of("hop-prim", *problem));
    }
    EXPECT_LT(1.5 * levels, greedy);
    EXPECT_LT(2 * descent, greedy);
}

TEST(HopDescent, AnswersLargeGraphsOfPoints) {
    const Instance instance = generate({.n = 100'000, .seed = 1});
    const auto problem = make_problem("hmst", instance, {.root = 5, .hops = 6});
    const Tree levels = construct("hop-levels", *problem);
    EXPECT_EQ(problem->violation(levels), std::nullopt);
    // Levels of hubs grow as √n does, a star as n does.
    EXPECT_LT(problem->cost(levels), 3 * std::sqrt(100'000));
}

TEST(HopDescent, ReturnsItsTreeWhenItIsStopped) {
    for (const Shape shape : {Shape::uniform, Shape::matrix}) {
        const Instance instance = generate({.shape = shape, .n = 300, .seed = 1});
        const auto problem = make_problem("hmst", instance, {.hops = 4});
        for (const char* method : {"hop-levels", "hop-descent"}) {
            const Tree tree = construct(method, *problem, {.interrupted = [] { return true; }});
            EXPECT_EQ(problem->violation(tree), std::nullopt) << method;
        }
    }
}

TEST(HopImprovement, NeverMakesATreeDearerAndKeepsTheLimit) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Instance instance = generate({.shape = shape, .n = 60, .average_degree = 6, .seed = seed});
            const auto problem = make_problem("hmst", instance, {.root = 1, .hops = 5});
            if (problem->infeasibility_certificate()) continue;
            const Tree start = construct("hop-prim", *problem);
            const Tree better = improved_within_hops(start, instance.weights, 1, 5);
            EXPECT_EQ(problem->violation(better), std::nullopt);
            EXPECT_LE(problem->cost(better), problem->cost(start) + 1e-9);
        }
    }
}

TEST(HopImprovement, FindsAsMuchThroughTheIndexOfPointsAsByLookingAtEveryEdge) {
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::maximum, Metric::euc_2d, Metric::geo}) {
        double indexed = 0;
        double plain = 0;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            Instance points = generate({.n = 80, .seed = seed});
            std::vector<Point> spread;
            for (const auto& [x, y] : points.weights.points()) spread.push_back({80 * x, 80 * y});
            points = testing::of_points(spread, metric);
            const Instance matrix = as_matrix(points);
            const Tree start = star_around(0, required_vertices(*make_problem("mst", points)));
            indexed += total_weight(improved_within_hops(start, points.weights, 0, 4), points.weights);
            plain += total_weight(improved_within_hops(start, matrix.weights, 0, 4), points.weights);
        }
        // Vertices are taken in another order, so the trees differ a little.
        EXPECT_NEAR(indexed / plain, 1, 0.05) << to_string(metric);
    }
}

TEST(Flattened, KeepsTheLimitAndLeavesAloneWhatIsNotTooDeep) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Instance instance = generate({.shape = Shape::sparse, .n = 40, .average_degree = 5, .seed = seed});
        const auto problem = make_problem("hmst", instance, {.root = 2, .hops = static_cast<int>(3 + seed % 6)});
        if (problem->infeasibility_certificate()) continue;
        const Tree lightest = minimum_spanning_tree(instance.weights);
        const int hops = static_cast<int>(3 + seed % 6);
        const Tree flat = flattened(lightest, breadth_first(*problem, 2), hops);
        EXPECT_EQ(problem->violation(flat), std::nullopt);
        const bool fits = !problem->violation(grown_from(lightest, 2, 40));
        EXPECT_EQ(flat == grown_from(lightest, 2, 40), fits);
    }
}

}  // namespace
}  // namespace neuroprim
