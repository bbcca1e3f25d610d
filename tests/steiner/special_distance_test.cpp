#include "steiner/special_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "neuroprim/random.hpp"
#include "steiner/search_graph.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim::steiner {
namespace {

using Table = std::vector<std::vector<double>>;

/// By the definition: shortest paths between all pairs, then the least longest piece over ways through terminals.
Table special_distances(const Graph& graph, int without_edge) {
    const auto n = index(graph.size());
    Table d(n, std::vector<double>(n, 1e300));
    for (std::size_t v = 0; v < n; ++v) d[v][v] = 0;
    for (int e = 0; e < graph.edge_slots(); ++e) {
        if (!graph.has(e) || e == without_edge) continue;
        d[index(graph.link(e).u)][index(graph.link(e).v)] = graph.link(e).weight;
        d[index(graph.link(e).v)][index(graph.link(e).u)] = graph.link(e).weight;
    }
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    for (std::size_t k = 0; k < n; ++k) {
        if (!graph.is_terminal(static_cast<Vertex>(k))) continue;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], std::max(d[i][k], d[k][j]));
    }
    return d;
}

TEST(SpecialDistance, IsTheLeastLongestPieceBetweenTerminals) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        const Instance instance = testing::small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const auto search = search_graph(*problem, StopToken());
        SpecialDistance special(search->graph, 100'000);
        for (int e = 0; e < search->graph.edge_slots(); ++e) {
            const auto& link = search->graph.link(e);
            const double exact = special_distances(search->graph, e)[index(link.u)][index(link.v)];
            if (exact > 1e200) {
                EXPECT_FALSE(special.within(link.u, link.v, 1e100, e));
                continue;
            }
            EXPECT_TRUE(special.within(link.u, link.v, exact * (1 + 1e-12), e));
            if (exact == 0) continue;
            EXPECT_FALSE(special.within(link.u, link.v, exact * (1 - 1e-9), e));
        }
    }
}

TEST(BottleneckForest, KnowsTheHeaviestEdgeOnTheWay) {
    Random random(7);
    for (int repeat = 0; repeat < 50; ++repeat) {
        const Vertex n = 9;
        std::vector<WeightedEdge> edges;
        for (Vertex u = 0; u < n; ++u) {
            for (Vertex v = u + 1; v < n; ++v) {
                if (random.uniform() < 0.35) edges.push_back({u, v, static_cast<double>(random.below(6))});
            }
        }
        Table minimax(index(n), std::vector<double>(index(n), Weights::infinity));
        for (std::size_t v = 0; v < index(n); ++v) minimax[v][v] = 0;
        for (const auto& edge : edges) {
            minimax[index(edge.u)][index(edge.v)] = minimax[index(edge.v)][index(edge.u)] = edge.weight;
        }
        for (std::size_t k = 0; k < index(n); ++k)
            for (std::size_t i = 0; i < index(n); ++i)
                for (std::size_t j = 0; j < index(n); ++j)
                    minimax[i][j] = std::min(minimax[i][j], std::max(minimax[i][k], minimax[k][j]));
        std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
        BottleneckForest forest(n);
        for (const auto& edge : edges) forest.join(edge.u, edge.v, edge.weight);
        for (Vertex u = 0; u < n; ++u) {
            for (Vertex v = 0; v < n; ++v) EXPECT_EQ(forest.between(u, v), minimax[index(u)][index(v)]);
        }
    }
}

}  // namespace
}  // namespace neuroprim::steiner
