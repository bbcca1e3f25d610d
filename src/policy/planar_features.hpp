#pragma once

#include <functional>
#include <vector>

#include "neuroprim/instance.hpp"

namespace neuroprim::policy {

/// Where the policy sees the vertices: their own points, the layout of the file, or, for a graph given by weights
/// alone, points whose distances resemble the weights (shortest paths on incomplete graphs).
///
/// The fit is classical scaling refined by stress majorisation, O(n²) per round and O(n·m log n) for the paths;
/// beyond `most_fully_scaled` vertices only distances to landmarks are used. Parts of a graph that is not connected
/// are put apart. Deterministic. `interrupted` is asked now and then; once it says true, Interrupted is thrown.
[[nodiscard]] std::vector<Point> feature_points(const Instance& instance,
                                                const std::function<bool()>& interrupted = {});

inline constexpr Vertex most_fully_scaled = 1000;
inline constexpr Vertex landmark_count = 128;

}  // namespace neuroprim::policy
