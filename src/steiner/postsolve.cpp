#include "steiner/postsolve.hpp"

#include <algorithm>

#include "graph/disjoint_sets.hpp"

namespace neuroprim::steiner {

Tree tree_of(const Problem& problem, std::span<const Edge> edges, Vertex start) {
    std::vector<WeightedEdge> sorted;
    for (const Edge& edge : edges) {
        sorted.push_back({std::min(edge.u, edge.v), std::max(edge.u, edge.v), problem.weights()(edge.u, edge.v)});
    }
    std::sort(sorted.begin(), sorted.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        if (a.weight != b.weight) return a.weight < b.weight;
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
    // Trees of a Steiner problem begin at its first terminal, whatever was left of it.
    const auto starts = problem.starts();
    if (problem.required(starts.front())) start = starts.front();
    Tree forest{start, {}};
    DisjointSets sets(problem.size());
    for (const WeightedEdge& edge : sorted) {
        if (sets.join(edge.u, edge.v)) forest.edges.push_back({edge.u, edge.v});
    }
    return problem.pruned(grown_from(forest, start, problem.size()));
}

Tree postsolved(const Problem& problem, const Graph& graph, const FlatGraph& flat, std::span<const int> edges) {
    std::vector<Edge> all;
    for (const int record : graph.fixed()) graph.origins().expand(record, all);
    for (const int e : edges) {
        const int given = flat.edge(e);
        if (given != Graph::none) graph.origins().expand(graph.link(given).origin, all);
    }
    const Vertex start = flat.vertex(flat.has_copies() ? flat.anchor() : flat.terminals().front());
    return tree_of(problem, all, graph.label(start));
}

}  // namespace neuroprim::steiner
