#pragma once

#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// What each tree costs, (B) float, after Steiner trees lost the leaves that are no terminals. O(B·n), T small steps.
/// Reads start, sources, targets and lengths only.
[[nodiscard]] at::Tensor tree_costs(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules);

/// (B, T) bool: which edges remain when leaves that are no terminals are cut off again and again.
[[nodiscard]] at::Tensor kept_edges(const Trajectories& trajectories, const Graphs& graphs);

}  // namespace neuroprim::train
