#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "problems/centred_hops.hpp"
#include "search/rooted/tree_snapshot.hpp"

namespace neuroprim::levels {

/// How many levels there are below the centre, which the root is where hops alone are limited.
[[nodiscard]] inline int levels_in(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return std::min(spec.diameter ? *spec.diameter / 2 : *spec.hops, std::max(1, problem.size() - 1));
}

/// A vertex that may not be on the deepest levels, by number.
struct ShallowVertex {
    Vertex v = no_vertex;
    int deepest = 0;  ///< the deepest level that it may be on
};

/// The root, where hops are counted from it. It is the centre unless the diameter is limited, too.
template <class Graph>
[[nodiscard]] ShallowVertex shallow_root(const Problem& problem, const Graph& graph) {
    const TreeSpec& spec = problem.spec();
    if (!spec.hops) return {};
    return {graph.number(*spec.root), spec.diameter ? std::max(0, levels_in(problem) - chain_at_root(spec)) : 0};
}

/// The levels of a tree's vertices, by number: how far they are from the centre, and the deepest level for leaves,
/// which nothing hangs from. O(n).
template <class Graph>
[[nodiscard]] std::vector<std::int16_t> levels_of(const Tree& tree, const Problem& problem, const Graph& graph) {
    const rooted::TreeSnapshot centred = rooted::snapshot_of(problem, tree);
    std::vector<std::int16_t> result(index(graph.size()), static_cast<std::int16_t>(levels_in(problem)));
    if (const auto [root, deepest] = shallow_root(problem, graph); root != no_vertex) {
        result[index(root)] = static_cast<std::int16_t>(deepest);
    }
    for (const Vertex v : centred.order) {
        const bool is_leaf = centred.children(v).empty() && v != centred.twin && v != centred.root;
        if (!is_leaf) result[index(graph.number(v))] = static_cast<std::int16_t>(centred.hops[index(v)]);
    }
    return result;
}

/// The tree that parents tell, by number.
template <class Graph, class ParentOf>
[[nodiscard]] Tree named_tree(const Graph& graph, ParentOf&& parent_of) {
    Tree result;
    result.edges.reserve(index(graph.size()));
    for (Vertex v = 0; v < graph.size(); ++v) {
        const Vertex above = parent_of(v);
        if (above == no_vertex) {
            result.start = graph.name(v);
        } else {
            result.edges.push_back({graph.name(above), graph.name(v)});
        }
    }
    return grown_from(result, result.start, graph.size());
}

}  // namespace neuroprim::levels
