#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Can `grow_by_paths` build trees for it?
[[nodiscard]] bool grows_by_paths(const Problem& problem);

/// A feasible tree for a sparse graph with limits, where vertices have to be reached through others and the ways to
/// the root are few: vertices join by paths, nearest to the root first, and where the limits leave one without a way
/// it takes the place of others, which look for another way (an ejection pool with penalties, as Nagata and Bräysy
/// have it for vehicle routing). Nothing when none was found, which proves nothing. The same tree on every run.
/// Throws Interrupted when the stop token expires first.
[[nodiscard]] std::optional<Tree> grow_by_paths(const Problem& problem, int threads, const StopToken& stop);

}  // namespace neuroprim
