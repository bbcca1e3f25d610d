#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Which vertices are seen.
struct BackboneSample {
    Vertex size = 100;
    double turn = 0.5;  ///< 0 to 1, below 1: where between two of them the first one lies
};

/// A tree of low routing cost by a policy that sees some vertices, spread evenly: the inner vertices of its tree
/// stay, and every other vertex hangs from the one of them where it costs least. Few vertices of a good tree are not
/// leaves, however large it is. The graph must be complete. Nothing when the stop token expires first. O(n · size).
[[nodiscard]] std::optional<Tree> tree_around_backbone(const Policy& policy, const Problem& problem,
                                                       const BackboneSample& sample, int threads,
                                                       const StopToken& stop);

}  // namespace neuroprim
