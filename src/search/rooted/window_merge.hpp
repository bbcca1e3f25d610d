#pragma once

#include <vector>

#include "neuroprim/problem.hpp"
#include "search/rooted/rooted_window.hpp"
#include "search/rooted/tree_snapshot.hpp"

namespace neuroprim::rooted {

/// Puts the moves of windows that were searched side by side into one tree. Each window keeps the limits by itself;
/// where they break one together, or close a cycle, the moves above that place that led away from the root are taken
/// back. There always is one: as long as every vertex hangs no farther than it did, nothing breaks. A window that no
/// longer saves anything is left as it was. O(n), again as long as something is broken.
[[nodiscard]] TreeSnapshot merged(const Problem& problem, const TreeSnapshot& tree, std::vector<WindowChange> changes,
                                  double& gained);

}  // namespace neuroprim::rooted
