#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/tree.hpp"
#include "search/windows/tree_windows.hpp"

namespace neuroprim {

/// Vertices of windows that hold whole branches, at most. Nothing where `most` vertices do not hold three branches,
/// and where more than their loads is limited: there windows that cut branches were measured to be better.
[[nodiscard]] std::optional<std::size_t> branch_window_size(const Problem& problem, std::size_t most);

/// Windows of up to `size` vertices that hold whole branches of a tree, near each other, and the root as their top:
/// what is in one branch may then go to another one. Elsewhere for every `random`. O(n log² n).
[[nodiscard]] std::vector<TreeWindow> branch_windows(const Problem& problem, const RootedTree& tree, std::size_t size,
                                                     Random random);

}  // namespace neuroprim
