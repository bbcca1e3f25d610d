#pragma once

#include <cstdint>
#include <vector>

#include "neuroprim/tree.hpp"

namespace neuroprim::levels {

/// The levels of a tree's vertices: their depths, and the deepest one for leaves, which nothing hangs from. O(n).
template <class Graph>
[[nodiscard]] std::vector<std::int16_t> levels_of(const Tree& tree, Vertex root, int hops, const Graph& graph) {
    const RootedTree rooted = hang(tree, root, graph.size());
    std::vector<std::int16_t> result(index(graph.size()), static_cast<std::int16_t>(hops));
    for (const Vertex v : rooted.order) {
        const Vertex above = rooted.parent[index(v)];
        if (above == no_vertex) continue;
        result[index(graph.number(above))] = static_cast<std::int16_t>(rooted.depth[index(above)]);
    }
    return result;
}

/// The tree that parents tell, by number.
template <class Graph, class ParentOf>
[[nodiscard]] Tree named_tree(const Graph& graph, Vertex root, ParentOf&& parent_of) {
    Tree result{root, {}};
    result.edges.reserve(index(graph.size()));
    for (Vertex v = 0; v < graph.size(); ++v) {
        const Vertex above = parent_of(v);
        if (above != no_vertex) result.edges.push_back({graph.name(above), graph.name(v)});
    }
    return grown_from(result, root, graph.size());
}

}  // namespace neuroprim::levels
