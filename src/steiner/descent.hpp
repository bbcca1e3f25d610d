#pragma once

#include <span>

#include "graph/stop_token.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// Vertex insertion, key-path exchange and key-vertex elimination in turn until none gains, or the stop token
/// expires. The tree's cost must be by `weights` (m), and is so afterwards. False when the stop token ended it.
bool descend(const FlatGraph& graph, EdgeTree& tree, std::span<const double> weights, const StopToken& stop);

}  // namespace neuroprim::steiner
