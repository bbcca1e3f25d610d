#pragma once

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// The policy's tree on a sparse graph whose vertices may be left out (`has_closure_windows`): grown window after
/// window, or that of a construction where it runs into dead ends or has no time; then rebuilt (`ClosureRebuilding`).
/// `greedy` rebuilds sixteen times. `rebuild` samples trees, too, and ends when 32 passes in a row brought nothing,
/// or by the options' iterations or the stop token. Throws Infeasible when no tree is found, Interrupted
/// when the stop token expires before there is one.
[[nodiscard]] Candidate solve_in_closures(const Policy& policy, const Problem& problem, const SolveOptions& options,
                                          const StopToken& stop);

}  // namespace neuroprim
