#include "search/rooted/vertex_exchange.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {
namespace {

constexpr Vertex exchanged_points = 24;

/// Limits that an exchange may break, and edges that it must leave alone.
std::vector<std::pair<std::string, TreeSpec>> exchanged_specs() {
    std::vector<int> degrees(exchanged_points, 3);
    degrees[5] = 2;
    std::vector<double> demands(exchanged_points);
    for (Vertex v = 0; v < exchanged_points; ++v) demands[index(v)] = 1 + v % 3;
    return {
        {"degrees and hops", {.root = 0, .degrees = degrees, .hops = 6}},
        {"degrees and even diameter", {.degrees = degrees, .diameter = 10}},
        {"degrees and odd diameter", {.degrees = degrees, .diameter = 9}},
        {"degrees, hops and loads", {.root = 0, .degrees = degrees, .hops = 7, .capacity = 25, .demands = demands}},
        {"degrees, hops and lengths", {.root = 0, .degrees = degrees, .hops = 7, .length = 1.8}},
        {"degrees, hops and diameter", {.root = 0, .degrees = degrees, .hops = 6, .diameter = 11}},
        {"degrees, diameter and lengths", {.root = 0, .degrees = degrees, .length = 1.8, .diameter = 11}},
        {"included edges", {.root = 0, .degrees = degrees, .hops = 7, .included_edges = {{3, 7}, {7, 9}}}},
    };
}

TEST(VertexExchange, CostsWhatItSaysAndKeepsTheLimits) {
    const Instance instance = generate({.n = exchanged_points, .seed = 5});
    for (const auto& [name, spec] : exchanged_specs()) {
        ASSERT_TRUE(rooted::gains_by_exchanges(spec)) << name;
        const Problem problem(instance, spec);
        rooted::ResourceTree tree(problem);
        tree.load(solve(problem, {.time_limit = {}, .max_iterations = 1}).tree);
        Random random(11);
        int exchanges = 0;
        for (int k = 0; k < 20000; ++k) {
            const auto a = static_cast<Vertex>(random.below(exchanged_points));
            const auto b = static_cast<Vertex>(random.below(exchanged_points));
            if (a == b) continue;
            const double before = tree.cost();
            const double more = rooted::exchange_cost(problem, tree, a, b);
            if (more == Weights::infinity) continue;
            const std::pair stood(tree.parent(a), tree.children(a));
            if (!rooted::exchange(tree, a, b)) {
                tree.roll_back();
                ASSERT_EQ(tree.cost(), before) << name;
                ASSERT_EQ(std::pair(tree.parent(a), tree.children(a)), stood) << name;
                continue;
            }
            ++exchanges;
            tree.commit();
            ASSERT_NEAR(tree.cost(), before + more, 1e-9) << name << ", step " << k;
            ASSERT_EQ(tree.parent(b), stood.first == b ? a : stood.first) << name;
            ASSERT_EQ(tree.children(b), stood.second) << name;
            if (k % 20 != 0) continue;
            const Tree now = tree.tree();
            ASSERT_NEAR(problem.cost(now), tree.cost(), 1e-9) << name;
            const auto violation = problem.violation(now);
            ASSERT_FALSE(violation) << name << ", step " << k << ": " << *violation;
        }
        EXPECT_GT(exchanges, 100) << name;
    }
}

TEST(VertexExchange, LeavesIncludedEdgesAndTheRootAlone) {
    const Instance instance = generate({.n = exchanged_points, .seed = 6});
    const TreeSpec spec{
        .root = 0, .degrees = std::vector<int>(exchanged_points, 3), .hops = 7, .included_edges = {{3, 7}}};
    const Problem problem(instance, spec);
    rooted::ResourceTree tree(problem);
    tree.load(solve(problem, {.time_limit = {}, .max_iterations = 1}).tree);
    for (const Vertex kept : {0, 3, 7}) {
        for (Vertex v = 0; v < exchanged_points; ++v) {
            if (v == kept) continue;
            EXPECT_EQ(rooted::exchange_cost(problem, tree, kept, v), Weights::infinity);
        }
    }
}

}  // namespace
}  // namespace neuroprim
