#pragma once

#include <span>

#include "neuroprim/types.hpp"
#include "policy/aligned.hpp"
#include "policy/stop_request.hpp"

namespace neuroprim::policy {

/// (n, n) How far apart all pairs of n points in the unit square are, for the feature `distance`: ln(1 + √n·|a − b|).
/// Times √n a distance counts in steps from point to point, so that neighbours are as far apart in large graphs as in
/// small ones. Throws Interrupted once `stop` is made.
[[nodiscard]] AlignedFloats log_distances(std::span<const Point> points, int threads, StopRequest& stop);

}  // namespace neuroprim::policy
