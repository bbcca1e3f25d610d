#pragma once

#include <cstddef>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Is the tree a path, so that only its two ends ever have room?
[[nodiscard]] bool grows_at_two_ends(const Problem& problem);

/// From how many starts the policy can decode greedily in so many seconds, by estimate; 0 when not even one.
/// Depends on the problem's sizes only, so that the answer does not depend on the machine's mood.
[[nodiscard]] std::size_t affordable_starts(const Problem& problem, double seconds);

}  // namespace neuroprim
