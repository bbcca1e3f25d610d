#include "graph/exchange_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

/// A random edge enters and a random edge of the way between its ends leaves.
EdgeExchange random_exchange(ExchangeTree& tree, Random& random) {
    const auto n = static_cast<std::uint64_t>(tree.size());
    while (true) {
        const auto a = static_cast<Vertex>(random.below(n));
        const auto b = static_cast<Vertex>(random.below(n));
        if (a == b || tree.has_edge(a, b)) continue;
        const auto path = tree.path(a, b);
        const std::size_t edge = random.below(path.size() - 1);
        return edge < tree.path_top() ? EdgeExchange{a, b, path[edge]} : EdgeExchange{b, a, path[edge + 1]};
    }
}

TEST(ExchangeTree, HundredThousandExchangesLeaveTheTreeThatTheyAddUpTo) {
    const Instance instance = generate({.n = 60, .seed = 5});
    Tree start = minimum_spanning_tree(instance.weights);
    ExchangeTree tree(start, instance.weights);
    Random random(1);
    double weight = total_weight(start, instance.weights);
    for (int k = 1; k <= 100'000; ++k) {
        const EdgeExchange change = random_exchange(tree, random);
        const double entering = instance.weights(change.inner, change.outer);
        weight += entering - tree.parent_weight(change.top);
        tree.exchange(change, entering);
        if (k % 1000 != 0) continue;
        const Tree now = tree.tree();
        ASSERT_EQ(structural_violation(now, instance.weights), std::nullopt);
        ASSERT_EQ(now.edges.size(), 59U);
        ASSERT_NEAR(total_weight(now, instance.weights), weight, 1e-7);
        const std::vector<int> degree = degrees(now, 60);
        for (Vertex v = 0; v < 60; ++v) ASSERT_EQ(tree.degree(v), degree[index(v)]);
    }
}

TEST(ExchangeTree, UndoingRestoresEveryParent) {
    const Instance instance = generate({.n = 40, .seed = 6});
    ExchangeTree tree(minimum_spanning_tree(instance.weights), instance.weights);
    Random random(2);
    for (int round = 0; round < 100; ++round) {
        std::vector<Vertex> parents;
        for (Vertex v = 0; v < tree.size(); ++v) parents.push_back(tree.parent(v));
        std::vector<std::pair<EdgeExchange, double>> undo;
        for (int k = 0; k < 10; ++k) {
            const EdgeExchange change = random_exchange(tree, random);
            const double leaving = tree.parent_weight(change.top);
            const EdgeExchange back = tree.exchange(change, instance.weights(change.inner, change.outer));
            undo.emplace_back(back, leaving);
        }
        for (; !undo.empty(); undo.pop_back()) tree.exchange(undo.back().first, undo.back().second);
        for (Vertex v = 0; v < tree.size(); ++v) {
            ASSERT_EQ(tree.parent(v), parents[index(v)]);
            if (tree.parent(v) != no_vertex) {
                ASSERT_EQ(tree.parent_weight(v), instance.weights(v, tree.parent(v)));
            }
        }
    }
}

TEST(ExchangeTree, PathGoesFromEndToEndAlongTreeEdges) {
    const Instance instance = generate({.n = 50, .seed = 7});
    ExchangeTree tree(minimum_spanning_tree(instance.weights), instance.weights);
    for (Vertex a = 0; a < 50; ++a) {
        for (Vertex b = 0; b < 50; ++b) {
            const auto path = tree.path(a, b);
            ASSERT_EQ(path.front(), a);
            ASSERT_EQ(path.back(), b);
            for (std::size_t k = 1; k < path.size(); ++k) ASSERT_TRUE(tree.has_edge(path[k - 1], path[k]));
            std::vector<Vertex> distinct(path.begin(), path.end());
            std::sort(distinct.begin(), distinct.end());
            ASSERT_EQ(std::adjacent_find(distinct.begin(), distinct.end()), distinct.end());
        }
    }
}

}  // namespace
}  // namespace neuroprim
