#pragma once

#include <span>

#include "neuroprim/types.hpp"
#include "policy/aligned.hpp"
#include "policy/stop_request.hpp"

namespace neuroprim::policy {

/// How far apart two of n points in the unit square are, for the feature `distance`: ln(1 + √n·|a − b|). Times √n a
/// distance counts in steps from point to point, so that neighbours are as far apart in large graphs as in small
/// ones.
[[nodiscard]] double log_distance(Point a, Point b, std::size_t n);

/// The same for all pairs, (n, n). Throws Interrupted once `stop` is made.
[[nodiscard]] AlignedFloats log_distances(std::span<const Point> points, int threads, StopRequest& stop);

}  // namespace neuroprim::policy
