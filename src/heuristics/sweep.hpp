#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A tree of wedges: vertices in the order of their direction from the root are cut into runs that a branch can
/// carry, and each run is spanned as short as it can be (after Gillett and Miller's sweep, 1974). The cuts are the
/// best ones for this order. Where weights are distances, no two edges cross: every run stays in a wedge of its own.
///
/// For problems over all vertices with positions, one start and a capacity; nothing where a vertex is too heavy for
/// any branch, or has no edge to its wedge. Other limits are not looked at. O(n · size³ of a run), where runs of many
/// vertices are shorter than they could be. Throws Interrupted when the stop token expires.
[[nodiscard]] std::optional<Tree> sweep_tree(const Problem& problem, const StopToken& stop);

}  // namespace neuroprim
