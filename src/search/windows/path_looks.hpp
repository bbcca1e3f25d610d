#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "neuroprim/tree.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// A path through more points than one look sees?
[[nodiscard]] bool has_path_looks(const Problem& problem);

/// Paths through many points by a policy that sees a hundred of them at a time. From the end of the path it sees the
/// nearest points that are left, plans a way through them, and goes the first steps of it; then it looks again. The
/// policy should be one that was trained to go on from an end (`leaf_start`, shape `remainder`).
class PathLooks {
public:
    /// The problem must have such looks. `policy` and `problem` must outlive it.
    PathLooks(const Policy& policy, const Problem& problem, const SolveOptions& options);

    /// The path that begins with this vertex. O(n²). Nothing when the stop token expires first.
    [[nodiscard]] std::optional<Tree> from(Vertex start, const StopToken& stop) const;

    /// The best path of so many starts, the options' or ten. Throws Interrupted when the stop token expires before
    /// the first is complete.
    [[nodiscard]] Candidate best(const StopToken& stop) const;

private:
    const Policy* policy_;
    const Problem* problem_;
    std::vector<Vertex> starts_;
    int views_;
    int threads_;
};

}  // namespace neuroprim
