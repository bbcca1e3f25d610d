#pragma once

#include <cstdint>

#include "graph/stop_token.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// What part of a tree may change.
struct Region {
    Vertex centre = 0;
    std::size_t size = 100;   ///< vertices, the nearest to the centre
    std::int64_t nodes = 20;  ///< of branch and bound at most
};

/// Makes the tree cheaper inside a region while it stays what it is outside: what hangs together outside becomes one
/// terminal, and the small problem that is left is solved by branch and bound. True when cheaper. O(n) and the
/// small problem; the region is optimal afterwards unless the nodes ran out or the stop token expired.
bool improve_region(const FlatGraph& graph, EdgeTree& tree, const Region& region, bool whole_weights,
                    const StopToken& stop);

}  // namespace neuroprim::steiner
