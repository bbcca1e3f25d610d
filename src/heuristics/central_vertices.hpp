#pragma once

#include <cstddef>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// The `count` vertices nearest to a sample of all others, nearest first. O(n).
[[nodiscard]] std::vector<Vertex> central_vertices(const Weights& weights, std::size_t count);

/// Where a tree of limited diameter begins when trying several centres takes too long; `no_vertex` on few vertices,
/// and for other problems.
[[nodiscard]] Vertex central_start(const Problem& problem);

}  // namespace neuroprim
