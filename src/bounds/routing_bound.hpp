#pragma once

#include <memory>

#include "bounds/bound_process.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Lower bounds on routing cost and communication cost, three of them, each better and dearer than the one before:
///
/// 1. **Projections**, of Euclidean, Manhattan and maximum-norm points without traffic, O(n log n). The length of a
///    segment is at least the mean of its projections on k directions, π/k apart, over the most that this mean can be
///    for a segment of length one, 1 / (k · sin(π/2k)). Sums of one-dimensional distances need sorting only. For k =
///    32 that loses up to 0.12 % against the next one.
/// 2. **Distances**: in a tree no pair is nearer than in the graph, so Σ requirement · shortest path. O(n²) and more.
/// 3. **Centroid**: every tree has a vertex c whose removal leaves parts of at most n/2 vertices. So for each u at
///    least n − 1 − ⌊n/2⌋ others lie in other parts, and the way to those leads through c. That adds half the sum,
///    over u, of that many smallest requirement · (d(u, c) + d(c, v) − d(u, v)); the least over all c is a bound.
///    O(n³).
[[nodiscard]] bool routing_bound_suits(const Problem& problem);

[[nodiscard]] std::unique_ptr<BoundProcess> make_routing_bound(const Problem& problem);

}  // namespace neuroprim
