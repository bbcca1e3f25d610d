#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A tree of low routing cost by a policy that sees `sample` vertices, spread evenly: the inner vertices of its tree
/// stay, and every other vertex hangs from the one of them where it costs least. Few vertices of a good tree are not
/// leaves, however large it is. The graph must be complete. Nothing when the stop token expires first. O(n · sample).
[[nodiscard]] std::optional<Tree> tree_around_backbone(const Policy& policy, const Problem& problem, Vertex sample,
                                                       int threads, const StopToken& stop);

}  // namespace neuroprim
