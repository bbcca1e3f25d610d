#pragma once

#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// The points in the order in which Hilbert's curve comes by. O(n log n) with a tiny constant.
[[nodiscard]] std::vector<Vertex> curve_order(std::span<const Point> points);

/// The path through these vertices, one at least, in this order.
[[nodiscard]] Tree path_in_order(std::span<const Vertex> order);

/// The vertices of a tree that is a path, from one end to the other. O(n).
[[nodiscard]] std::vector<Vertex> vertices_along(const Tree& path, Vertex n);

/// The path along the curve, about a third longer than the shortest. The graph must have points.
[[nodiscard]] Tree curve_path(const Weights& weights);

/// Takes the shortest edge that leaves a set of paths, again and again: about 15 % above the shortest path.
/// The graph must be complete. Near O(n log n) on points, O(n² log n) on matrices; the result does not depend on
/// `threads`. Throws Interrupted when the stop token expires first.
[[nodiscard]] Tree greedy_edge_path(const Weights& weights, int threads = 1, const StopToken& stop = {});

/// The points in cells along Hilbert's curve, some thousand in each, and a path of greedy edges in every cell: some
/// 20 % above the shortest path. Stretches of it stay together in the plane, as those of `greedy_edge_path` do not,
/// so they can be improved one by one. The graph must have points. Does not depend on `threads`. Throws Interrupted
/// when the stop token expires first.
[[nodiscard]] Tree greedy_cell_path(const Weights& weights, int threads = 1, const StopToken& stop = {});

}  // namespace neuroprim
