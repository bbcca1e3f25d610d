#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// Lower bounds for costs that are sums over pairs of vertices (routing cost, with masses or without, and
/// communication cost), and for several limits at once. They come from the relaxation in which each edge of a tree
/// chooses who lies on which side of it (`SideRelaxation`). Subgradient steps look for the best prices; for pairs
/// they begin with those that make the bound the sum of all distances or more. Reduced costs remove edges, and
/// branching on edges ends with the optimum, whatever else is limited.
///
/// Prices stand for degree limits, too, and, where there is a root and all demands and masses are 1, for hops and
/// lengths from it; capacities and cables limit and price the sides.
///
/// Null when vertices may be left out, or when one tree of the relaxation takes some seconds (edges · n of more than
/// 150 million, which is 670 points). Where the cost is no sum over pairs: 60 points with two of these limits or
/// more, 30 with a capacity, cables or a length alone.
[[nodiscard]] std::unique_ptr<BoundProcess> make_pair_cost_bound(const Problem& problem);

}  // namespace neuroprim
