#pragma once

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"
#include "steiner/graph.hpp"

namespace neuroprim::steiner {

/// The tree of the problem among these edges of it that holds `start`. They connect its terminals, and may repeat.
/// O(n + k log k).
[[nodiscard]] Tree tree_of(const Problem& problem, std::span<const Edge> edges, Vertex start);

/// The tree of the problem that a tree of a reduced graph stands for; `flat` is made of `graph`.
///
/// It weighs what the reduced tree weighs with the contracted edges, or less where two reduced edges run over the
/// same input edge. O(n log n).
[[nodiscard]] Tree postsolved(const Problem& problem, const Graph& graph, const FlatGraph& flat,
                              std::span<const int> edges);

}  // namespace neuroprim::steiner
