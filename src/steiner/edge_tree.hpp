#pragma once

#include <optional>
#include <span>
#include <vector>

#include "neuroprim/random.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// A Steiner tree as edges of a flat graph, increasing, and their weight.
struct EdgeTree {
    std::vector<int> edges;
    double cost = 0;
};

/// The cheapest tree among these edges (each once), without leaves that are no terminals; nothing when the edges do
/// not connect the terminals. O(k log k) for k edges, and O(n).
[[nodiscard]] std::optional<EdgeTree> tree_among(const FlatGraph& graph, std::vector<int> edges,
                                                 std::span<const double> weights);

/// The cheapest tree on the vertices of `tree`, pruned. O(sum of their degrees).
[[nodiscard]] EdgeTree respanned(const FlatGraph& graph, const EdgeTree& tree, std::span<const double> weights);

/// The sum of other weights.
[[nodiscard]] double cost_of(const EdgeTree& tree, std::span<const double> weights);

/// Takahashi and Matsuyama: grows from `root` by the shortest path to the next terminal, one search for all.
/// `weights` (m) may differ from the graph's; an edge of infinite weight is not used. Vertices of `inside` (flags,
/// (n) or empty) must be reached like terminals. Nothing when a terminal cannot be reached. O(m log n) mostly.
/// The cost of the result is by `weights`.
[[nodiscard]] std::optional<EdgeTree> shortest_path_tree(const FlatGraph& graph, Vertex root,
                                                         std::span<const double> weights,
                                                         std::span<const char> inside = {});

}  // namespace neuroprim::steiner
