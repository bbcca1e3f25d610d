#pragma once

#include <optional>
#include <span>

#include "graph/neighbours.hpp"
#include "search/swaps/swap_tree.hpp"

namespace neuroprim::swaps {

/// The lightest tree made of `forced`, of edges of `tree`, and of `offered` ones. Forced edges are in unless they
/// close a cycle among themselves. All of them together must be connected. O(n log n).
[[nodiscard]] Tree with_edges(const SwapTree& tree, const Weights& weights, std::span<const Edge> forced,
                              std::span<const Edge> offered);

/// The tree without `v`, its parts joined again by the lightest edges of the neighbour lists, or by edges between
/// the former neighbours of `v`. Nothing when those do not join them. `v` must not be the root. O(n log n).
[[nodiscard]] std::optional<Tree> without_vertex(const SwapTree& tree, const Weights& weights, const Neighbours& near,
                                                 Vertex v);

}  // namespace neuroprim::swaps
