#pragma once

#include <span>
#include <vector>

#include "neuroprim/tree.hpp"

namespace neuroprim {

/// The best part of the tree by weights and lost prizes: subtrees whose prizes do not pay for their edges are cut
/// off, vertices that are `kept` stay (Johnson, Minkoff, Phillips 2000). Without any of these the best connected part
/// anywhere in the tree. O(n).
[[nodiscard]] Tree strongly_pruned(const Tree& tree, const Weights& weights, const std::vector<bool>& kept,
                                   std::span<const double> prizes);

}  // namespace neuroprim
