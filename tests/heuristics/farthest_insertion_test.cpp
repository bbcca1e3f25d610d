#include <gtest/gtest.h>

#include <algorithm>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;

/// The definition, word by word, in O(n³).
double reference_length(const Weights& w) {
    const Vertex n = w.size();
    const auto distance = [&](Vertex a, Vertex b) { return a == b ? 0.0 : w(a, b); };
    std::vector<Vertex> outside;
    for (Vertex v = 0; v < n; ++v) outside.push_back(v);
    std::vector<Vertex> tour;
    while (!outside.empty()) {
        const auto farness = [&](Vertex v) {
            double largest = 0;
            double smallest = Weights::infinity;
            for (Vertex u = 0; u < n; ++u) largest = std::max(largest, distance(u, v));
            for (const Vertex u : tour) smallest = std::min(smallest, distance(u, v));
            return tour.empty() ? largest : smallest;
        };
        const auto next = std::max_element(outside.begin(), outside.end(),
                                           [&](Vertex a, Vertex b) { return farness(a) < farness(b); });
        std::size_t place = 0;
        double least = Weights::infinity;
        for (std::size_t k = 0; k < tour.size(); ++k) {
            const Vertex after = tour[(k + 1) % tour.size()];
            const double extra = distance(tour[k], *next) + distance(*next, after) - distance(tour[k], after);
            if (extra >= least) continue;
            least = extra;
            place = k + 1;
        }
        tour.insert(tour.begin() + static_cast<std::ptrdiff_t>(place), *next);
        outside.erase(next);
    }
    double length = 0;
    double longest = 0;
    for (std::size_t k = 0; k < tour.size(); ++k) {
        const double leg = distance(tour[k], tour[(k + 1) % tour.size()]);
        length += leg;
        longest = std::max(longest, leg);
    }
    return length - longest;
}

TEST(FarthestInsertion, FollowsItsDefinition) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::matrix}) {
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
            const Instance instance =
                generate({.shape = shape, .n = static_cast<Vertex>(1 + 3 * seed), .seed = seed});
            const auto problem = make_problem("dcmst", instance, {.degree = 2});
            const Tree path = construct("farthest-insertion", *problem);
            EXPECT_EQ(problem->violation(path), std::nullopt);
            EXPECT_NEAR(problem->cost(path), reference_length(instance.weights), 1e-9) << to_string(shape) << seed;
        }
    }
}

TEST(FarthestInsertion, ListsThePathFromEndToEnd) {
    const Instance instance = generate({.n = 20, .seed = 7});
    const Tree path = construct("farthest-insertion", *make_problem("dcmst", instance, {.degree = 2}));
    EXPECT_EQ(path.edges.front().u, path.start);
    for (std::size_t k = 1; k < path.edges.size(); ++k) EXPECT_EQ(path.edges[k].u, path.edges[k - 1].v);
}

TEST(FarthestInsertion, ClosesNothingOnALine) {
    const Instance instance = testing::of_points({{3, 0}, {0, 0}, {7, 0}, {1, 0}, {2, 0}});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    EXPECT_EQ(problem->cost(construct("farthest-insertion", *problem)), 7);
}

TEST(FarthestInsertion, NeedsACompleteGraph) {
    const Instance instance = testing::of_edges(3, {{0, 1, 1}, {1, 2, 1}});
    EXPECT_EQ(testing::complaint("farthest-insertion", *make_problem("mst", instance)),
              "farthest-insertion needs an edge between every pair of vertices; degree-prim takes incomplete graphs");
}

}  // namespace
}  // namespace neuroprim
