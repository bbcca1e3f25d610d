#pragma once

#include "train/policy_parts.hpp"
#include "train/rules.hpp"
#include "train/tables.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

class ProcessGroup;

/// Encodes the graphs, whose points are first brought into the unit square and their weights into its unit, and
/// projects what all trajectories share. In training mode batch norms take their statistics over the graphs of all
/// processes of the group, so that the split does not matter; otherwise they use the running ones. A policy that is
/// told the specification sees the graphs' part in it and that of the rules. `side` is for those who call its `join`.
[[nodiscard]] Tables encode(PolicyParts& policy, const Graphs& graphs, const ProcessGroup& group,
                            const Rules& rules = {}, const std::shared_ptr<SideWork>& side = nullptr);

}  // namespace neuroprim::train
