#pragma once

#include <optional>

#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A tree with the same vertices in each branch, which is spanned anew where hops, lengths or degrees are not kept.
/// Nothing where some branch finds no tree that keeps them, where nothing has to be mended, or where edges have to be
/// included. `tree` must span all vertices. O(n) and what constructions take for each such branch.
[[nodiscard]] std::optional<Tree> repaired_branches(const Problem& problem, const Tree& tree,
                                                    const MethodOptions& options);

}  // namespace neuroprim
