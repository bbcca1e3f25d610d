#pragma once

#include <vector>

#include "neuroprim/instance.hpp"

namespace neuroprim::testing {

/// The five points of the paper's Figure 1, v1 … v5 as 0 … 4, with v1 in the middle of the others' way.
/// The figure is not in the text; these coordinates give every value that it states.
[[nodiscard]] Instance paper_example();

[[nodiscard]] Instance of_points(std::vector<Point> points, Metric metric = Metric::euclidean);
[[nodiscard]] Instance of_edges(Vertex n, std::vector<WeightedEdge> edges);

}  // namespace neuroprim::testing
