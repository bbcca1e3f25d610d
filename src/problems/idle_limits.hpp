#pragma once

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// The same trees by fewer limits: without those that the others keep anyway, or that every tree of so many vertices
/// keeps. A search made for a capacity alone then serves a capacity beside 99 hops of 100 vertices, too. O(n).
[[nodiscard]] TreeSpec without_idle_limits(TreeSpec spec, Vertex n);

}  // namespace neuroprim
