#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// Lower bounds for costs that are sums over pairs of vertices: routing cost, with masses or without, and
/// communication cost. They come from the relaxation in which each edge of a tree chooses who lies on which side of
/// it
/// (`SideRelaxation`). Subgradient steps look for the best prices, beginning with those that make the bound the sum
/// of all distances or more. Reduced costs remove edges, and branching on edges ends with the optimum.
///
/// Other limits are relaxed. Null when the cost is another one, vertices may be left out, or one tree of the
/// relaxation takes some seconds (edges · n of more than 150 million, which is 670 points).
[[nodiscard]] std::unique_ptr<BoundProcess> make_pair_cost_bound(const Problem& problem);

}  // namespace neuroprim
