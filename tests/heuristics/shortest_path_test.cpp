#include <gtest/gtest.h>

#include <algorithm>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;

/// Takahashi and Matsuyama's construction from all-pairs shortest paths.
double reference_weight(const Instance& instance, Vertex start) {
    const auto n = static_cast<std::size_t>(instance.size());
    std::vector<std::vector<double>> d(n, std::vector<double>(n, Weights::infinity));
    std::vector<std::vector<std::size_t>> next(n, std::vector<std::size_t>(n));
    for (std::size_t u = 0; u < n; ++u) {
        d[u][u] = 0;
        instance.weights.for_each_neighbour(static_cast<Vertex>(u), [&](Vertex v, double w) {
            d[u][static_cast<std::size_t>(v)] = w;
            next[u][static_cast<std::size_t>(v)] = static_cast<std::size_t>(v);
        });
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (d[i][k] + d[k][j] >= d[i][j]) continue;
                d[i][j] = d[i][k] + d[k][j];
                next[i][j] = next[i][k];
            }
        }
    }
    std::vector<bool> inside(n, false);
    inside[static_cast<std::size_t>(start)] = true;
    double weight = 0;
    while (true) {
        std::size_t from = n;
        std::size_t to = n;
        for (const Vertex t : instance.terminals) {
            const auto terminal = static_cast<std::size_t>(t);
            if (inside[terminal]) continue;
            for (std::size_t u = 0; u < n; ++u) {
                if (inside[u] && (to == n || d[u][terminal] < d[from][to])) {
                    from = u;
                    to = terminal;
                }
            }
        }
        if (to == n) return weight;
        weight += d[from][to];
        for (std::size_t u = from; u != to; u = next[u][to]) inside[u] = true;
        inside[to] = true;
    }
}

TEST(ShortestPath, FollowsItsDefinitionFromAnyTerminal) {
    for (const Shape shape : {Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
            const auto n = static_cast<Vertex>(4 + 4 * seed);
            const Instance instance =
                generate({.shape = shape, .n = n, .terminals = 2 + n / 4, .average_degree = 3, .seed = seed});
            const auto problem = make_problem("stp", instance);
            double best = Weights::infinity;
            for (const Vertex start : instance.terminals) {
                const Tree tree = construct("shortest-path", *problem, {start, 1});
                const double expected = reference_weight(instance, start);
                EXPECT_EQ(tree.start, start);
                EXPECT_NEAR(problem->cost(tree), expected, 1e-9) << to_string(shape) << n;
                best = std::min(best, expected);
            }
            EXPECT_NEAR(problem->cost(construct("shortest-path", *problem)), best, 1e-9);
        }
    }
}

TEST(ShortestPath, CostsLessThanTwiceTheOptimum) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const auto n = static_cast<Vertex>(3 + seed % 4);
            const auto terminals = static_cast<Vertex>(2 + seed % 2);
            const Instance instance =
                generate({.shape = shape, .n = n, .terminals = terminals, .average_degree = 2.5, .seed = seed});
            const auto problem = make_problem("stp", instance);
            const double optimum = *testing::optimum(*problem);
            for (const Vertex start : instance.terminals) {
                const Tree tree = construct("shortest-path", *problem, {start, 1});
                EXPECT_EQ(problem->violation(tree), std::nullopt);
                EXPECT_LE(problem->cost(tree), (2 - 2.0 / terminals) * optimum + 1e-12);
            }
        }
    }
}

TEST(ShortestPath, LeavesNothingToPrune) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance =
            generate({.shape = Shape::sparse, .n = 60, .terminals = 12, .average_degree = 4, .seed = seed});
        const auto problem = make_problem("stp", instance);
        const Tree tree = construct("shortest-path", *problem);
        EXPECT_EQ(problem->pruned(tree), tree);
    }
}

TEST(ShortestPath, GoesRoundADearEdge) {
    Instance instance = testing::of_edges(4, {{0, 1, 9}, {0, 2, 1}, {2, 3, 1}, {3, 1, 1}});
    instance.terminals = {0, 1};
    const auto problem = make_problem("stp", instance);
    EXPECT_EQ(problem->cost(construct("shortest-path", *problem)), 3);
    EXPECT_EQ(problem->cost(construct("kruskal", *problem)), 9);
}

TEST(ShortestPath, OfOneTerminalIsThatTerminal) {
    Instance instance = testing::paper_example();
    instance.terminals = {3};
    EXPECT_EQ(construct("shortest-path", *make_problem("stp", instance)), (Tree{3, {}}));
}

TEST(ShortestPath, DoesNotDependOnThreads) {
    const Instance instance =
        generate({.shape = Shape::sparse, .n = 200, .terminals = 40, .average_degree = 5, .seed = 4});
    const auto problem = make_problem("stp", instance);
    EXPECT_EQ(construct("shortest-path", *problem, {no_vertex, 1}),
              construct("shortest-path", *problem, {no_vertex, 3}));
}

TEST(ShortestPath, SaysWhenTerminalsAreInDifferentParts) {
    Instance instance = testing::of_edges(4, {{0, 1, 1}, {2, 3, 1}});
    instance.terminals = {1, 2};
    EXPECT_EQ(testing::complaint("shortest-path", *make_problem("stp", instance)),
              "the graph is not connected: no path joins vertices 1 and 2");
}

TEST(ShortestPath, GivesTheTreeOfItsFirstStartWhenItIsStoppedAmongTheOthers) {
    const Instance instance = generate({.shape = Shape::sparse, .n = 2000, .terminals = 200, .seed = 8});
    const auto problem = make_problem("stp", instance);
    const auto tree_of = [&](MethodOptions options) {
        return method_named("shortest-path").construct(*problem, options);
    };
    int asked = 0;
    MethodOptions one;
    one.start = instance.terminals.front();
    one.interrupted = [&] { return ++asked < 0; };
    const Tree first = tree_of(one);
    const int enough = asked;
    ASSERT_GT(enough, 0);
    asked = 0;
    MethodOptions stopped;
    stopped.interrupted = [&] { return ++asked > enough; };
    EXPECT_EQ(tree_of(stopped).edges, first.edges);
    EXPECT_GT(asked, enough) << "it was never stopped";
}

}  // namespace
}  // namespace neuroprim
