#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// Lower bounds for trees whose branches carry limited demand, and for trees of cables that are priced by load, by
/// Lagrangian decomposition. A tree is two things at once, and either may be dropped from the other:
///
/// 1. **a spanning tree**, whose edges cost λ(e), and which pays a penalty for every edge that a rounded capacity cut
///    allows less;
/// 2. **branches** that carry all demand and keep the capacity, whose edges cost the rest,
///    weight · price(load) − λ(e), but whose vertices may come again or be left out; a reward per vertex, paid by the
///    bound, stands against that. Where hops are limited, too, the branches keep that limit.
///
/// Subgradient steps look for the λ, penalties and rewards that make the sum of both largest: first for each part
/// alone, then for both from a mean of what these found. When that leads no further, demands are rounded less, and
/// branches remember vertices so that fewer come again.
///
/// Null when branches are not limited, vertices may be left out, or the tables would be too large (n² · capacity of
/// more than 30 million).
[[nodiscard]] std::unique_ptr<BoundProcess> make_capacity_bound(const Problem& problem);

}  // namespace neuroprim
