#pragma once

#include "graph/stop_token.hpp"
#include "neuroprim/construction.hpp"

namespace neuroprim {

/// Joins required vertices to the tree by the cheapest edge the problem allows, till the problem is finished.
/// False when no allowed edge is left before that. Equal weights go to the smaller joining vertex. An edge from a
/// vertex at some depth counts `depth_price` times that depth dearer.
///
/// O(m log n) on sparse graphs. On complete ones O(n²), as far as few vertices wait for one that is full.
/// Throws Interrupted when the stop token expires before that.
[[nodiscard]] bool grow_cheapest(Construction& state, const StopToken& stop = {}, double depth_price = 0);

}  // namespace neuroprim
