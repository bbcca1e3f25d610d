#pragma once

#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {

/// The default way to solve: a few constructions fill a pool, workers of local search improve its trees, a bound
/// rises meanwhile (docs/search.md). Fills in tree, bound, iterations and found_by. Throws Infeasible when no
/// construction finds a feasible tree, InputError when the warm start is none.
///
/// Says whether the tree has been checked by the problem's rules already: trees of constructions have, those of local
/// searches have not.
///
/// Without a time limit the answer depends on problem, options and seed alone, not on the number of threads.
[[nodiscard]] bool search_anytime(const Problem& problem, const SolveOptions& options, Solution& solution);

}  // namespace neuroprim
