#pragma once

#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/metric.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// Exact minimum spanning tree of the complete graph on `points`: Borůvka's rounds over a k-d tree, about n log n.
/// Edges come in no particular order. The result does not depend on `threads`. Throws Interrupted when the stop token
/// expires.
[[nodiscard]] std::vector<Edge> point_mst(std::span<const Point> points, Metric metric, int threads,
                                          const StopToken& stop = {});

}  // namespace neuroprim
