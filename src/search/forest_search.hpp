#pragma once

#include "neuroprim/solve.hpp"

namespace neuroprim {

/// `solve` for a specification with several roots: their contraction is solved, and whoever watches, stops or asks
/// sees forests of the given instance.
[[nodiscard]] Solution solve_forest(const Problem& problem, const SolveOptions& options);

}  // namespace neuroprim
