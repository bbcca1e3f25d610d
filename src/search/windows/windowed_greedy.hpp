#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/tree_pool.hpp"
#include "search/windows/large_graphs.hpp"

namespace neuroprim {

/// Vertices of a window: what most policies were trained with, and less than the whole tree.
[[nodiscard]] Vertex window_size(const Problem& problem);

/// Is the greedy tree for routing cost better by looks at samples of the vertices (`BackboneLooks`) than by one look
/// at all of them? Not where the policy knows such sizes, nor where the start is asked for and one look has room.
[[nodiscard]] bool sees_backbones_only(const Problem& problem, const SolveOptions& options);

/// The pretrained policy for looks from the end of a path (`PathLooks`), where they are better than one look at all
/// points: not where policies know such sizes, nor where the options name a policy.
[[nodiscard]] std::optional<Policy> policy_of_path_looks(const Problem& problem, const SolveOptions& options);

/// Does the policy see a problem of this size window by window, rather than whole? Policies know graphs of up to
/// `most_trained` vertices, but for those named `-large`. A start that is asked for needs one look at all vertices.
[[nodiscard]] bool grows_in_windows(const Problem& problem, const SolveOptions& options);

/// The policy's tree for a problem of any size: the best of several first trees, constructions' and the policy's own,
/// rebuilt by the policy window after window as long as a pass is worth it (`WindowRebuilding`), a path twice
/// (`PathRebuilding`). Nearly O(n log n). Throws Infeasible when there is no first tree, Interrupted when the stop
/// token expires before there is one; later it ends with the best so far.
[[nodiscard]] Candidate solve_by_windows(const Policy& policy, const Problem& problem, const SolveOptions& options,
                                         const StopToken& stop);

/// The policy's own tree for a problem of any size: greedy where all vertices fit into one look, by samples of them
/// for routing cost, by looks from its end for a path, as above otherwise; then rebuilt window after window until
/// eight passes in a row brought nothing, or the options' iterations or the stop token end it. Throws as above, and
/// InputError where the problem has no windows.
[[nodiscard]] Candidate solve_by_rebuilding(const Policy& policy, const Problem& problem, const SolveOptions& options,
                                            const StopToken& stop);

}  // namespace neuroprim
