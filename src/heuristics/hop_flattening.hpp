#pragma once

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// The tree of fewest hops from `root`, over required vertices only. O(m).
[[nodiscard]] RootedTree breadth_first(const Problem& problem, Vertex root);

/// A tree that keeps the hop limit and as much of `tree` as it can: a vertex that is too deep hangs from its path of
/// fewest hops to the root, and so does every vertex on that path. Nothing gets deeper by that. `tree` must span all
/// vertices, and the tree of fewest hops must keep the limit. O(n · hops).
[[nodiscard]] Tree flattened(const Tree& tree, const RootedTree& fewest_hops, int hops);

}  // namespace neuroprim
