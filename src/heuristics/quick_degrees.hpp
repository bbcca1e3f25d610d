#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

/// A path along a curve: a tree for any limits of 2 or more, a millisecond per 5000 points. Nothing for other
/// problems, graphs without points and limits of 1.
[[nodiscard]] std::optional<Tree> hasty_degree_limited_tree(const Problem& problem);

/// A good tree in little more than O(n log n) on points: a path of greedy edges where all limits are 2, otherwise the
/// minimum spanning tree with the excess exchanged away. Nothing for other problems, and where that fails: incomplete
/// graphs with limits of 2, tight limits, a stop token that expires first.
[[nodiscard]] std::optional<Tree> quick_degree_limited_tree(const Problem& problem, int threads = 1,
                                                            const StopToken& stop = {});

}  // namespace neuroprim
