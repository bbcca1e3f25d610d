#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Is it a specification whose limits and prices a rooted tree keeps up to date? Where vertices may stay outside,
/// some vertex must be in the tree, some edges missing, and neither included edges, crossings nor a diameter matter.
[[nodiscard]] bool suits_rooted(const Problem& problem);

/// Where a policy's trees make its own better at equal time (docs/results.md): limited lengths, degree with hops.
[[nodiscard]] bool policy_helps_rooted(const Problem& problem);

/// Ruin and recreate on a rooted tree with loads, hops and lengths: for limits of any kind, and several at once.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_rooted(const Problem& problem, int threads, const StopToken& stop);

}  // namespace neuroprim
