#pragma once

#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Does the problem limit the ways from its root, by hops or by length?
[[nodiscard]] bool limits_ways(const Problem& problem);

/// A tree among these edges, which may repeat and close cycles, over all that is connected to `start`: the lightest
/// one, or shortest ways from `start` where ways are limited. Not pruned. O(n + k log k).
[[nodiscard]] Tree union_tree(const Problem& problem, std::vector<Edge> edges, Vertex start);

/// The edges of the one list that are not in the other one, in whichever direction. O(k log k).
[[nodiscard]] std::vector<Edge> without(const std::vector<Edge>& edges, const std::vector<Edge>& removed);

}  // namespace neuroprim
