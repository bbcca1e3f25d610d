#pragma once

#include <cstddef>
#include <vector>

#include "neuroprim/weights.hpp"

namespace neuroprim {

/// The `count` vertices nearest to a sample of all others, nearest first. O(n).
[[nodiscard]] std::vector<Vertex> central_vertices(const Weights& weights, std::size_t count);

}  // namespace neuroprim
