#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "search/local_search.hpp"

namespace neuroprim {

/// Is it a specification whose limits and prices a rooted tree keeps up to date? Where vertices may stay outside,
/// some vertex must be in the tree, and neither included edges, crossings nor a diameter matter.
[[nodiscard]] bool suits_rooted(const Problem& problem);

/// A policy's trees make its own better at equal time under degree with hops or the diameter, unless the time is
/// short (docs/results.md).
[[nodiscard]] std::optional<std::int64_t> rooted_steps_beside_policy(const Problem& problem);

/// Ruin and recreate on a rooted tree with loads, hops and lengths: for limits of any kind, and several at once.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_rooted(const Problem& problem, int threads, const StopToken& stop);

}  // namespace neuroprim
