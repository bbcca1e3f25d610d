#pragma once

#include <span>

#include "graph/watch.hpp"
#include "search/steiner/edge_tree.hpp"
#include "search/steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// Vertex insertion, key-path exchange and key-vertex elimination in turn until none gains, or the watch expires.
/// The tree's cost must be by `weights` (m), and is so afterwards. False when the watch ended it.
bool descend(const FlatGraph& graph, EdgeTree& tree, std::span<const double> weights, const Watch& watch);

}  // namespace neuroprim::steiner
