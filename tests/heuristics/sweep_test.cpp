#include "heuristics/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "problems/crossings.hpp"

namespace neuroprim {
namespace {

/// The shortest tree over the root, which is 0, and some vertices.
double spanning_cost(const Weights& weights, std::vector<Vertex> outside) {
    std::vector<Vertex> inside = {0};
    double cost = 0;
    while (!outside.empty()) {
        const auto distance = [&](Vertex v) {
            double least = Weights::infinity;
            for (const Vertex u : inside) least = std::min(least, weights(u, v));
            return least;
        };
        const auto next = std::min_element(outside.begin(), outside.end(),
                                           [&](Vertex a, Vertex b) { return distance(a) < distance(b); });
        cost += distance(*next);
        inside.push_back(*next);
        outside.erase(next);
    }
    return cost;
}

/// The best of all ways to cut the circle of directions into runs.
double best_of_all_cuts(const Instance& instance, double capacity) {
    const auto points = instance.weights.points();
    const auto angle = [&](Vertex v) {
        return std::atan2(points[index(v)].y - points[0].y, points[index(v)].x - points[0].x);
    };
    std::vector<Vertex> order;
    for (Vertex v = 1; v < instance.size(); ++v) order.push_back(v);
    std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return angle(a) < angle(b); });
    const std::size_t count = order.size();
    double best = Weights::infinity;
    for (std::size_t cuts = 1; cuts < std::size_t{1} << count; ++cuts) {
        double cost = 0;
        for (std::size_t begin = 0; begin < count; ++begin) {
            if (!(cuts >> begin & 1)) continue;
            std::vector<Vertex> run;
            std::size_t at = begin;
            do {
                run.push_back(order[at]);
                at = (at + 1) % count;
            } while (!(cuts >> at & 1));
            double turn = angle(run.back()) - angle(run.front());
            if (turn < 0) turn += 2 * std::numbers::pi;
            const bool fits = static_cast<double>(run.size()) <= capacity && turn < std::numbers::pi;
            cost += fits ? spanning_cost(instance.weights, run) : Weights::infinity;
        }
        best = std::min(best, cost);
    }
    return best;
}

TEST(Sweep, FindsTheBestCutsOfTheCircle) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.n = 10, .seed = seed});
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 4, .no_crossings = true});
        const auto tree = sweep_tree(problem, {});
        ASSERT_TRUE(tree.has_value());
        EXPECT_NEAR(problem.cost(*tree), best_of_all_cuts(instance, 4), 1e-9) << "seed " << seed;
    }
}

TEST(Sweep, CrossesNothing) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance = generate({.n = 300, .seed = seed});
        const Problem problem(instance, TreeSpec{.root = 0, .capacity = 7, .no_crossings = true});
        const auto tree = sweep_tree(problem, {});
        ASSERT_TRUE(tree.has_value());
        EXPECT_FALSE(problem.violation(*tree)) << *problem.violation(*tree);
        EXPECT_TRUE(crossings(instance, *tree).empty());
    }
}

TEST(Sweep, NeedsACapacity) {
    const Instance instance = generate({.n = 10, .seed = 1});
    EXPECT_FALSE(sweep_tree(Problem(instance, TreeSpec{.root = 0, .hops = 3}), {}));
}

TEST(Sweep, StopsWhenAsked) {
    const Instance instance = generate({.n = 100, .seed = 1});
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 5, .no_crossings = true});
    EXPECT_THROW((void)sweep_tree(problem, StopToken({}, [] { return true; })), Interrupted);
}

}  // namespace
}  // namespace neuroprim
