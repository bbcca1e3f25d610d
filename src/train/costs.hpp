#pragma once

#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// What each tree costs, (B) float, after it lost what it need not have: leaves that are no terminals, branches worth
/// less than they cost. Whatever a dead end kept out costs twice the edge from the start, more than any tree
/// would take for it. O(B·n), T small steps. Reads start, sources, targets, lengths and enter only.
[[nodiscard]] at::Tensor tree_costs(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules);

/// (G, n) bool: the vertices that a tree takes in before it is grown; of a group one is enough.
[[nodiscard]] at::Tensor wanted_vertices(const Graphs& graphs, const Rules& rules);

/// (B, T) bool: which edges remain when leaves that are no terminals are cut off again and again.
[[nodiscard]] at::Tensor kept_edges(const Trajectories& trajectories, const Graphs& graphs);

}  // namespace neuroprim::train
