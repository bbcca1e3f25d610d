#include "search/closure/union_tree.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <utility>

#include "graph/disjoint_sets.hpp"

namespace neuroprim {

namespace {

std::pair<Vertex, Vertex> sorted_ends(const Edge& edge) {
    return {std::min(edge.u, edge.v), std::max(edge.u, edge.v)};
}

/// Kruskal's algorithm.
std::vector<Edge> lightest_forest(std::span<const Edge> edges, const Weights& weights) {
    std::vector<std::tuple<double, Vertex, Vertex>> by_weight;
    for (const auto& [u, v] : edges) by_weight.emplace_back(weights(u, v), u, v);
    std::sort(by_weight.begin(), by_weight.end());
    DisjointSets parts(weights.size());
    std::vector<Edge> forest;
    for (const auto& [weight, u, v] : by_weight) {
        if (parts.join(u, v)) forest.push_back({u, v});
    }
    return forest;
}

/// Dijkstra's algorithm by hops or by weight; of ways with equally many hops the lighter one.
std::vector<Edge> shortest_way_tree(std::span<const Edge> edges, const Weights& weights, Vertex root,
                                    bool counts_hops) {
    std::vector<std::vector<Vertex>> at(index(weights.size()));
    for (const auto& [u, v] : edges) {
        at[index(u)].push_back(v);
        at[index(v)].push_back(u);
    }
    using Label = std::pair<double, double>;  // what is limited, then the weight
    std::vector<Label> label(at.size(), {Weights::infinity, Weights::infinity});
    std::vector<Vertex> parent(at.size(), no_vertex);
    std::priority_queue<std::pair<Label, Vertex>, std::vector<std::pair<Label, Vertex>>, std::greater<>> queue;
    label[index(root)] = {0, 0};
    queue.push({{0, 0}, root});
    while (!queue.empty()) {
        const auto [known, u] = queue.top();
        queue.pop();
        if (known > label[index(u)]) continue;
        for (const Vertex v : at[index(u)]) {
            const double weight = weights(u, v);
            const Label next = {known.first + (counts_hops ? 1 : weight), known.second + weight};
            if (next >= label[index(v)]) continue;
            label[index(v)] = next;
            parent[index(v)] = u;
            queue.push({next, v});
        }
    }
    std::vector<Edge> tree;
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (parent[v] != no_vertex) tree.push_back({parent[v], static_cast<Vertex>(v)});
    }
    return tree;
}

}  // namespace

bool limits_ways(const Problem& problem) {
    return problem.spec().hops || problem.spec().length;
}

Tree union_tree(const Problem& problem, std::vector<Edge> edges, Vertex start) {
    const auto is_before = [](const Edge& a, const Edge& b) { return sorted_ends(a) < sorted_ends(b); };
    const auto is_same = [](const Edge& a, const Edge& b) { return sorted_ends(a) == sorted_ends(b); };
    std::sort(edges.begin(), edges.end(), is_before);
    edges.erase(std::unique(edges.begin(), edges.end(), is_same), edges.end());
    const bool counts_hops = problem.spec().hops.has_value();
    edges = limits_ways(problem) ? shortest_way_tree(edges, problem.weights(), start, counts_hops)
                                 : lightest_forest(edges, problem.weights());
    return grown_from({start, std::move(edges)}, start, problem.size());
}

std::vector<Edge> without(const std::vector<Edge>& edges, const std::vector<Edge>& removed) {
    std::vector<std::pair<Vertex, Vertex>> gone;
    gone.reserve(removed.size());
    for (const Edge& edge : removed) gone.push_back(sorted_ends(edge));
    std::sort(gone.begin(), gone.end());
    std::vector<Edge> result;
    for (const Edge& edge : edges) {
        if (!std::binary_search(gone.begin(), gone.end(), sorted_ends(edge))) result.push_back(edge);
    }
    return result;
}

}  // namespace neuroprim
