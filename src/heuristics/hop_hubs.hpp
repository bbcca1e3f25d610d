#pragma once

#include <cstddef>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// How many hubs of depth up to 1, 2, …, hops − 1 make a short tree of n vertices spread evenly over a square.
///
/// With k hubs the nearest is about 0.4/√k away. The sum of all edges is least when every set of hubs grows by twice
/// the root of the growth before it, so the first size decides the others. Strictly increasing, below n; fewer levels
/// than there could be where vertices are few.
[[nodiscard]] std::vector<std::size_t> hub_counts(std::size_t n, int hops);

/// A tree of nested hubs on a complete graph: `order` lists all vertices, neighbours close to each other; it is cut
/// into as many blocks as there are hubs, the middle of each block becomes its hub, and the hubs are cut into blocks
/// in turn. The last hubs hang from the root. O(n · vertices in a block) weights.
[[nodiscard]] Tree tree_of_hubs(const Weights& weights, Vertex root, const std::vector<Vertex>& order,
                                const std::vector<std::size_t>& counts);

}  // namespace neuroprim
