#include "search/steiner/expansion.hpp"

#include <algorithm>

#include "graph/disjoint_sets.hpp"

namespace neuroprim::steiner {

Tree tree_of(const Problem& problem, std::span<const Edge> edges) {
    std::vector<WeightedEdge> sorted;
    for (const Edge& edge : edges) {
        sorted.push_back({std::min(edge.u, edge.v), std::max(edge.u, edge.v), problem.weights()(edge.u, edge.v)});
    }
    std::sort(sorted.begin(), sorted.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        if (a.weight != b.weight) return a.weight < b.weight;
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
    const auto starts = problem.starts();
    Tree tree{starts.front(), {}};
    DisjointSets sets(problem.size());
    for (const WeightedEdge& edge : sorted) {
        if (sets.join(edge.u, edge.v)) tree.edges.push_back({edge.u, edge.v});
    }
    return grown_from(problem.tidied(std::move(tree)), starts.front(), problem.size());
}

Tree expanded(const Problem& problem, const Graph& graph, const FlatGraph& flat, std::span<const int> edges) {
    std::vector<Edge> all;
    for (const int record : graph.fixed()) graph.origins().expand(record, all);
    for (const int e : edges) graph.origins().expand(graph.link(flat.edge(e)).origin, all);
    return tree_of(problem, all);
}

}  // namespace neuroprim::steiner
