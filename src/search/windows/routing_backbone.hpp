#pragma once

#include <optional>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// So many vertices, spread evenly along a curve, or by number where there are no positions; increasing. `turn`, 0 to
/// 1 but below 1, says where between two of them the first one lies. The inner vertices of a tree are among them
/// where one is given, those with the most edges first, up to three quarters.
[[nodiscard]] std::vector<Vertex> spread_sample(const Problem& problem, Vertex size, double turn,
                                                const Tree* inner_of = nullptr);

/// A tree of low routing cost by a policy that sees these vertices, under so many views: the inner vertices of its
/// tree stay, and every other vertex hangs from the one of them where it costs least; what is no inner vertex any
/// more hangs anew, too. Few vertices of a good tree are not leaves, however large it is. The best of several trees
/// of the sample, where hanging is quick. The graph must be complete. Nothing when the stop token expires first.
/// O(n · size).
[[nodiscard]] std::optional<Tree> tree_around_backbone(const Policy& policy, const Problem& problem,
                                                       const std::vector<Vertex>& sample, int views, int threads,
                                                       const StopToken& stop);

}  // namespace neuroprim
