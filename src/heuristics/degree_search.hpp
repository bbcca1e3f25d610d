#pragma once

#include <optional>
#include <span>

#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A spanning tree that keeps the degree limits, by trying all of them: Kruskal's order, with a step back where
/// it fails. Nothing proves that there is none. The number of trees grows as n^(n−2): for a handful of vertices.
[[nodiscard]] std::optional<Tree> search_degree_limited_tree(std::span<const WeightedEdge> edges,
                                                             std::span<const int> limits);

}  // namespace neuroprim
