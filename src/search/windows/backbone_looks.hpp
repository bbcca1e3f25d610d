#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "neuroprim/tree.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// Routing cost on a complete graph of more vertices than a sample has?
[[nodiscard]] bool has_backbones(const Problem& problem);

/// One look after the other at a sample of the vertices, each another one (`tree_around_backbone`).
class BackboneLooks {
public:
    /// `policy` and `problem` must outlive it.
    BackboneLooks(const Policy& policy, const Problem& problem, const SolveOptions& options);

    /// The tree around the next sample; with the inner vertices of `known` in the sample where such a tree is given.
    /// Nothing when the stop token expires first.
    [[nodiscard]] std::optional<Tree> next(const Tree* known, const StopToken& stop);

    /// The best of so many looks, the options' starts or ten: the first half at samples spread evenly, the others
    /// at the inner vertices of the best tree so far, too. A small look comes first. Throws Interrupted when the stop
    /// token expires before the first tree.
    [[nodiscard]] Candidate best(const StopToken& stop);

private:
    const Policy* policy_;
    const Problem* problem_;
    std::size_t looks_;
    int views_;
    int threads_;
    std::uint64_t seed_;
    int count_ = 0;
};

}  // namespace neuroprim
