#pragma once

#include <cstddef>

#include "neuroprim/weights.hpp"

namespace neuroprim {

/// Can sums of projections bound the distances of these points from below?
[[nodiscard]] bool projections_suit(const Weights& weights);

/// How many directions `projected_sum` takes for these weights.
[[nodiscard]] std::size_t projection_count(const Weights& weights);

/// Σ over pairs of the distance of their projections on direction `k`, in units such that the sum over all directions
/// is at most the sum of all distances (equal to it for the Manhattan and the maximum norm). O(n log n).
[[nodiscard]] double projected_sum(const Weights& weights, std::size_t k);

}  // namespace neuroprim
