#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// A tree in a graph, as the list of its edges in the order in which it grew. It may leave vertices out.
/// The answer to a specification with several roots is a forest in the same form: its trees one after the other.
struct Tree {
    Vertex start = 0;  ///< where it grew from; the root of rooted problems; the whole tree when it has no edges
    std::vector<Edge> edges;  ///< each (u, v) joins v to the part that holds u

    friend bool operator==(const Tree&, const Tree&) = default;
};

/// A tree seen from one of its vertices; parents come before children in `order`.
struct RootedTree {
    std::vector<Vertex> order;   ///< vertices of the tree, root first
    std::vector<Vertex> parent;  ///< (n) `no_vertex` for the root and for vertices outside
    std::vector<Vertex> depth;   ///< (n) edges to the root, −1 outside

    [[nodiscard]] bool contains(Vertex v) const { return depth[static_cast<std::size_t>(v)] >= 0; }
};

/// Hangs `tree` from `root`, breadth first. O(n). The edges reached from `root` must form a tree.
[[nodiscard]] RootedTree hang(const Tree& tree, Vertex root, Vertex n);

/// The same for a forest: each vertex hangs from the root that its tree holds.
[[nodiscard]] RootedTree hang(const Tree& forest, std::span<const Vertex> roots, Vertex n);

/// The number of tree edges at each of the n vertices.
[[nodiscard]] std::vector<int> degrees(const Tree& tree, Vertex n);

/// The first reason why `tree` is no tree in this graph, or nothing: a vertex out of range, an edge the graph
/// does not have, a cycle, more than one part. Does not ask which vertices must be in it.
[[nodiscard]] std::optional<std::string> structural_violation(const Tree& tree, const Weights& weights);

/// The same for a forest: each of its trees must hold exactly one of the roots.
[[nodiscard]] std::optional<std::string> structural_violation(const Tree& forest, const Weights& weights,
                                                              std::span<const Vertex> roots);

/// The same edges, listed so that each joins one new vertex to the part grown from `start`. O(n).
[[nodiscard]] Tree grown_from(const Tree& tree, Vertex start, Vertex n);

/// Cuts off leaves that are not `required`, again and again, till every leaf is. O(n).
[[nodiscard]] Tree pruned(const Tree& tree, const std::vector<bool>& required);

/// Sum of the edge weights, O(n).
[[nodiscard]] double total_weight(const Tree& tree, const Weights& weights);

/// Sum of tree distances over all unordered pairs of the tree's vertices, O(n).
///
/// An edge that splits the tree into parts of k and n−k vertices lies on k(n−k) paths (Section 2.1.2 of the
/// paper), so one pass over subtree sizes is enough.
[[nodiscard]] double routing_cost(const Tree& tree, const Weights& weights);

/// Σ over pairs of requirement × tree distance, O(n²): every requirement has to be looked at.
[[nodiscard]] double communication_cost(const Tree& tree, const Weights& weights,
                                        std::span<const double> requirements);

}  // namespace neuroprim
