#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// A lower bound for trees with a small diameter that is there at once: one vertex more, joined to all others by
/// edges of the same high weight, is the root. A tree of diameter D with one such edge, at its centre, has ⌈D/2⌉ + 1
/// hops from it. So the bound for hops is one for the diameter, less the weight of that edge.
///
/// Bounds from every centre (`make_diameter_bound`) are as high or higher, but tell nothing before the last of them.
/// Null where those are.
[[nodiscard]] std::unique_ptr<BoundProcess> make_free_centre_bound(const Problem& problem);

}  // namespace neuroprim
