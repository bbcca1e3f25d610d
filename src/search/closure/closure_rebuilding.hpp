#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "search/closure/closure_window.hpp"
#include "search/closure/window_rollouts.hpp"

namespace neuroprim {

/// Improves a tree in a sparse graph (`has_closure_windows`) by a policy: cuts the ways between some of its terminals
/// and branchings near each other, has the policy join the parts anew, and keeps what is better.
class ClosureRebuilding {
public:
    /// The tree must be feasible. `policy` and `problem` must outlive it. The answer does not depend on the threads.
    ClosureRebuilding(const Policy& policy, const Problem& problem, Tree tree, const RolloutOptions& options,
                      int threads);

    /// Rebuilds windows until each terminal, branching and prize was in one of them; their size, their junctions and
    /// the symmetry change from pass to pass. Says by how much the tree became cheaper. What is done when the stop
    /// token expires stays.
    double pass(const StopToken& stop);

    [[nodiscard]] const Tree& tree() const { return tree_; }

private:
    /// What a window changes about the tree; nothing where it found no better one.
    struct Change {
        std::vector<Edge> removed;
        std::vector<Edge> added;
    };

    [[nodiscard]] std::vector<Vertex> seeds(std::uint64_t stream) const;
    [[nodiscard]] Change rebuilt(ClosureParts parts, double cost, std::uint64_t stream, const StopToken& stop) const;
    double apply(const std::vector<Change>& changes, double cost);

    const Policy* policy_;
    const Problem* problem_;
    Tree tree_;
    RolloutOptions options_;
    int threads_;
    int passes_ = 0;
};

}  // namespace neuroprim
