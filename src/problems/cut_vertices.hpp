#pragma once

#include <vector>

#include "neuroprim/weights.hpp"

namespace neuroprim {

/// (n) Into how many parts the required vertices fall when a vertex is taken out of the graph. A tree that holds them
/// all has at least so many edges at the vertex if there are two parts or more. The required vertices must be
/// connected. Depth-first search after Tarjan, O(n + m).
[[nodiscard]] std::vector<int> parts_without(const Weights& weights, const std::vector<bool>& required);

}  // namespace neuroprim
