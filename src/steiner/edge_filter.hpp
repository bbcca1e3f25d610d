#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::steiner {

/// The edges of a complete graph (or nearly so) that may be in a best Steiner tree: those for which no shorter
/// special path is plain to see, from one end to a terminal near it, on in the minimum spanning tree of the
/// terminals, and from a terminal near the other end. What is left out is in no optimum.
///
/// In order of (u, v), u < v. Nothing when they are more than `limit`, or when the stop token expired. O(n²) for
/// matrices; for points in the plane only pairs that are near in one coordinate are looked at.
[[nodiscard]] std::optional<std::vector<WeightedEdge>> sifted_edges(const Weights& weights,
                                                                    const std::vector<Vertex>& terminals,
                                                                    std::size_t limit, const StopToken& stop);

}  // namespace neuroprim::steiner
