#pragma once

#include <string>
#include <vector>

#include "formats/text/text.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::formats {

/// The graph of these edges. Of parallel ones the lightest counts; warns, once, when their weights differ, since the
/// file may be a directed graph. Names, or numbers from `first`, are what the warning calls the vertices. O(m log m).
[[nodiscard]] Weights graph_of(const Text& text, Vertex n, std::vector<WeightedEdge> edges, Vertex first,
                               const std::vector<std::string>& names = {});

}  // namespace neuroprim::formats
