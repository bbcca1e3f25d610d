#pragma once

#include <functional>
#include <span>

#include "neuroprim/policy.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"
#include "policy/aligned.hpp"
#include "policy/stop_request.hpp"

namespace neuroprim::policy {

/// (n, n) How far apart all pairs of n points in the unit square are, for the feature `distance`: ln(1 + √n·|a − b|).
/// Times √n a distance counts in steps from point to point, so that neighbours are as far apart in large graphs as in
/// small ones. Throws Interrupted once `stop` is made.
[[nodiscard]] AlignedFloats log_distances(std::span<const Point> points, int threads, StopRequest& stop);

/// The same for the feature `weights`: ln(1 + √n·unit·weight) of the pairs that have an edge. O(n²).
[[nodiscard]] AlignedFloats log_lengths(const Weights& weights, double unit, std::span<const Point> points,
                                        int threads, StopRequest& stop);

/// Are they the straight distances between points of the plane?
[[nodiscard]] bool are_straight(const Weights& weights);

/// Does the policy see weights that are not the straight distances of the points? Those it would see anyway.
[[nodiscard]] bool sees_true_weights(const PolicyConfig& config, const Weights& weights);

/// Feature distance per unit of weight, for lengths of edges and for what a policy is told in that unit. Where it
/// sees true weights this is the geometric mean over all edges, which a few huge weights hardly change: O(edges).
/// Otherwise it is `weight_unit`. `points` are those in the unit square. `interrupted` is asked now and then; once it
/// says true, Interrupted is thrown.
[[nodiscard]] double feature_unit(const PolicyConfig& config, const Weights& weights, std::span<const Point> points,
                                  const std::function<bool()>& interrupted = {});

}  // namespace neuroprim::policy
