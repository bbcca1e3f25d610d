#pragma once

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// More vertices than this are too many for one look: the tables of all pairs leave sensible memory.
inline constexpr Vertex most_whole_vertices = 1500;

/// Vertices of a window: what most policies were trained with.
inline constexpr Vertex usual_window = 100;

/// The policy's tree for a problem of any size: the first tree at hand, rebuilt by the policy window after window
/// (`WindowRebuilding`), four times. For routing cost on complete graphs the first tree may be the policy's own, on a
/// sample of the vertices, with all others hung from it. Nearly O(n log n). Throws Infeasible when no construction
/// finds a tree, Interrupted when the stop token expires before there is one; later it ends with the best so far.
[[nodiscard]] Candidate solve_by_windows(const Policy& policy, const Problem& problem, const SolveOptions& options,
                                         const StopToken& stop);

}  // namespace neuroprim
