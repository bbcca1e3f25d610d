#pragma once

#include <vector>

#include "neuroprim/weights.hpp"

namespace neuroprim {

/// Is every edge a shortest path between its ends? Known of points in a true metric; nothing is promised of others.
[[nodiscard]] bool edges_are_shortest(const Weights& weights);

/// Length of the shortest path from `source` to every vertex, infinity where there is none. O(n) where edges are
/// shortest, O(m log n) on sparse graphs, O(n²) otherwise.
void distances_from(const Weights& weights, Vertex source, std::vector<double>& distance);

}  // namespace neuroprim
