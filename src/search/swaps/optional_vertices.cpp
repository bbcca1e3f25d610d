#include "search/swaps/optional_vertices.hpp"

#include <algorithm>
#include <vector>

#include "graph/disjoint_sets.hpp"

namespace neuroprim::swaps {

namespace {

/// More pairs than those of so many former neighbours are not looked at.
constexpr std::size_t joined_neighbours = 12;

void sort_by_weight(std::vector<WeightedEdge>& edges) {
    std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        if (a.weight != b.weight) return a.weight < b.weight;
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
}

}  // namespace

Tree with_edges(const SwapTree& tree, const Weights& weights, std::span<const Edge> forced,
                std::span<const Edge> offered) {
    Tree result{tree.root(), {}};
    DisjointSets parts(weights.size());
    for (const Edge& edge : forced) {
        if (parts.join(edge.u, edge.v)) result.edges.push_back(edge);
    }
    std::vector<WeightedEdge> edges;
    for (const auto& [u, v] : offered) edges.push_back({u, v, weights(u, v)});
    for (const auto& [u, v] : tree.tree().edges) edges.push_back({u, v, weights(u, v)});
    sort_by_weight(edges);
    for (const auto& edge : edges) {
        if (parts.join(edge.u, edge.v)) result.edges.push_back({edge.u, edge.v});
    }
    return result;
}

std::optional<Tree> without_vertex(const SwapTree& tree, const Weights& weights, const Neighbours& near, Vertex v) {
    Tree result{tree.root(), {}};
    DisjointSets parts(weights.size());
    std::vector<Vertex> around;
    for (const auto& edge : tree.tree().edges) {
        if (edge.u == v || edge.v == v) {
            around.push_back(edge.u == v ? edge.v : edge.u);
            continue;
        }
        parts.join(edge.u, edge.v);
        result.edges.push_back(edge);
    }

    // Every edge between two parts has an end outside the largest, so the others' lists are enough.
    const Vertex largest = *std::max_element(around.begin(), around.end(),
                                             [&](Vertex a, Vertex b) { return parts.size_of(a) < parts.size_of(b); });
    std::vector<WeightedEdge> edges;
    const auto offer = [&](Vertex a, Vertex b) {
        if (a != v && b != v && tree.contains(b) && parts.find(a) != parts.find(b) && weights.has_edge(a, b)) {
            edges.push_back({a, b, weights(a, b)});
        }
    };
    for (const Vertex a : tree.vertices()) {
        if (a == v || parts.find(a) == parts.find(largest)) continue;
        for (const Vertex b : near.of(a)) offer(a, b);
    }
    const std::size_t pairs = std::min(around.size(), joined_neighbours);
    for (std::size_t i = 0; i < pairs; ++i) {
        for (std::size_t j = 0; j < i; ++j) offer(around[i], around[j]);
    }
    sort_by_weight(edges);
    for (const auto& edge : edges) {
        if (parts.join(edge.u, edge.v)) result.edges.push_back({edge.u, edge.v});
    }
    if (result.edges.size() + 2 != tree.vertices().size()) return std::nullopt;
    return result;
}

}  // namespace neuroprim::swaps
