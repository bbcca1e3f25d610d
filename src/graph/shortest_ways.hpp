#pragma once

#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// The shortest ways from one vertex to all others.
struct ShortestWays {
    std::vector<Vertex> parent;  ///< (n) `no_vertex` at the source and out of reach
    std::vector<double> length;  ///< (n) infinity out of reach
};

/// Are edges between points never longer than detours? Rounded distances may be.
[[nodiscard]] bool straight_lines_are_shortest(const Weights& weights);

/// Straight lines where those are shortest, O(n); otherwise Dijkstra's algorithm, O(m log n). Throws Interrupted when
/// the stop token expires first.
[[nodiscard]] ShortestWays shortest_ways(const Weights& weights, Vertex source, const StopToken& stop = {});

}  // namespace neuroprim
