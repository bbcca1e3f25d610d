#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;

/// The definition over the whole edge list, in O(n · m); `strict` asks for less distance and more potential.
Tree reference(const Weights& weights, bool strict) {
    const auto n = static_cast<std::size_t>(weights.size());
    const std::vector<WeightedEdge> edges = weights.edges();
    std::vector<double> d(n, 0), s(n, 0), m(n, 0);
    double mean = 0;
    for (const auto& [u, v, w] : edges) {
        mean += w / static_cast<double>(edges.size());
        for (const Vertex end : {u, v}) {
            const auto x = static_cast<std::size_t>(end);
            d[x] += 1;
            s[x] += w;
            m[x] = std::max(m[x], w);
        }
    }
    double variance = 0;
    for (const auto& edge : edges) variance += std::pow(edge.weight - mean, 2) / static_cast<double>(edges.size());
    const bool alike = std::sqrt(variance) / mean < 0.4 + 0.005 * (static_cast<double>(n) - 10);
    const double c4 = alike ? 1 : 0.9;
    const double c5 = alike ? 1 : 0.1;

    std::size_t f = 0;
    const auto sp = [&](std::size_t v) { return 0.2 * d[v] + 0.6 * d[v] / s[v] + 0.2 / m[v]; };
    for (std::size_t v = 1; v < n; ++v) {
        if (sp(v) > sp(f)) f = v;
    }
    std::vector<double> wd(n, Weights::infinity), jsp(n, 0), cf(n, 0);
    std::vector<Vertex> parent(n, no_vertex);
    std::vector<bool> inside(n, false);
    Tree tree{static_cast<Vertex>(f), {}};
    for (std::size_t u = f;;) {
        inside[u] = true;
        for (const auto& edge : edges) {
            for (const auto& [from, to] : {std::pair(edge.u, edge.v), std::pair(edge.v, edge.u)}) {
                const auto v = static_cast<std::size_t>(to);
                if (static_cast<std::size_t>(from) != u || inside[v]) continue;
                const double distance = c4 * edge.weight + c5 * (cf[u] + edge.weight);
                const double potential = (d[u] + d[v]) + (d[u] + d[v]) / (s[u] + s[v]);
                const bool nearer = distance < wd[v];
                const bool stronger = potential > jsp[v];
                const bool takes = strict ? nearer && stronger : nearer || (distance == wd[v] && stronger);
                if (!takes && parent[v] != no_vertex) continue;
                wd[v] = distance;
                jsp[v] = potential;
                parent[v] = from;
            }
        }
        std::size_t next = n;
        for (std::size_t v = 0; v < n; ++v) {
            if (inside[v] || parent[v] == no_vertex) continue;
            if (next == n || wd[v] < wd[next] || (wd[v] == wd[next] && jsp[v] > jsp[next])) next = v;
        }
        if (next == n) return tree;
        cf[next] = cf[static_cast<std::size_t>(parent[next])] + weights(parent[next], static_cast<Vertex>(next));
        tree.edges.push_back({parent[next], static_cast<Vertex>(next)});
        u = next;
    }
}

TEST(Campos, FollowsItsDefinition) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const auto n = static_cast<Vertex>(2 + 4 * seed);
            const Instance instance = generate({.shape = shape, .n = n, .seed = seed});
            const auto problem = make_problem("mrcst", instance);
            EXPECT_EQ(construct("campos", *problem), reference(instance.weights, false)) << to_string(shape) << n;
            EXPECT_EQ(construct("campos-strict", *problem), reference(instance.weights, true))
                << to_string(shape) << n;
        }
    }
}

TEST(Campos, GivesEqualDistancesToTheGreaterPotential) {
    for (const Shape shape : {Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const Instance instance = generate({.shape = shape, .n = 20, .scale = 3, .integers = true, .seed = seed});
            const auto problem = make_problem("mrcst", instance);
            EXPECT_EQ(construct("campos", *problem), reference(instance.weights, false)) << to_string(shape) << seed;
        }
    }
}

TEST(Campos, CountsTheEdgeMoreWhereWeightsDifferMuch) {
    // Deviation over mean is about 0.7 here, beyond the bound for six vertices, so the way hardly counts.
    const Instance spread = generate({.shape = Shape::matrix, .n = 6, .seed = 3});
    const auto problem = make_problem("mrcst", spread);
    EXPECT_EQ(construct("campos", *problem), reference(spread.weights, false));
    EXPECT_GE(problem->cost(construct("campos", *problem)), *testing::optimum(*problem) - 1e-12);
}

TEST(Campos, DoesNotDependOnThreads) {
    const Instance instance = generate({.n = 300, .seed = 1});
    const auto problem = make_problem("mrcst", instance);
    EXPECT_EQ(construct("campos", *problem, {no_vertex, 1}), construct("campos", *problem, {no_vertex, 4}));
}

TEST(Campos, TakesWeightsThatAreAllZero) {
    const Instance instance = testing::of_points(std::vector<Point>(6, Point{1, 1}));
    const auto problem = make_problem("mrcst", instance);
    for (const char* method : {"campos", "campos-strict"}) {
        EXPECT_EQ(problem->violation(construct(method, *problem)), std::nullopt);
    }
}

TEST(Campos, BeatsTheStarOnClustersAndRandomWeights) {
    for (const Shape shape : {Shape::clustered, Shape::matrix}) {
        double stars = 0;
        double trees = 0;
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            const Instance instance = generate({.shape = shape, .n = 60, .seed = seed});
            const auto problem = make_problem("mrcst", instance);
            trees += problem->cost(construct("campos", *problem));
            stars += problem->cost(construct("star", *problem));
        }
        EXPECT_LT(trees, stars) << to_string(shape);
    }
}

}  // namespace
}  // namespace neuroprim
