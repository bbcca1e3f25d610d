#pragma once

#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// The points in the order in which Hilbert's curve comes by. O(n log n) with a tiny constant.
[[nodiscard]] std::vector<Vertex> curve_order(std::span<const Point> points);

/// The path in that order, about a third longer than the shortest. The graph must have points.
[[nodiscard]] Tree curve_path(const Weights& weights);

/// Takes the shortest edge that leaves a set of paths, again and again: about 15 % above the shortest path.
/// The graph must be complete. Near O(n log n) on points, O(n² log n) on matrices; the result does not depend on
/// `threads`. Throws Interrupted when the stop token expires first.
[[nodiscard]] Tree greedy_edge_path(const Weights& weights, int threads = 1, const StopToken& stop = {});

}  // namespace neuroprim
