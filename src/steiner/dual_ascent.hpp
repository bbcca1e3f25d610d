#pragma once

#include <vector>

#include "graph/stop_token.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// A feasible solution of the dual of the directed cut relaxation: every Steiner tree weighs `bound` and the reduced
/// costs of its arcs, directed away from the root, at least.
struct DualAscent {
    Vertex root = no_vertex;
    double bound = 0;             ///< infinity when the terminals are not connected
    std::vector<double> reduced;  ///< (2m) arc 2e from the end u of edge e to its end v, 2e + 1 back
};

/// Wong's dual ascent: as long as some terminal is not reached from the root by arcs of reduced cost 0, takes the
/// set of vertices from which it is reached and pays for all arcs into the set, until one more costs nothing.
/// Small cuts first. A stop token that expires ends it early, with a valid bound.
///
/// With a `hub` terminals are content at first with being reached from there: sets that hold the hub pay last. That
/// is for roots that many arcs lead out of (rootless graphs with prizes), which the first sets to grow large would
/// otherwise pay for while others have not paid for anything.
[[nodiscard]] DualAscent dual_ascent(const FlatGraph& graph, Vertex root, const StopToken& stop,
                                     Vertex hub = no_vertex);

/// What reduced costs say about vertices and edges: a tree that holds them weighs at least so much.
struct ReducedCostBounds {
    std::vector<double> with_vertex;  ///< (n) 0 for terminals
    std::vector<double> with_edge;    ///< (m)
};

/// O(m log n).
[[nodiscard]] ReducedCostBounds reduced_cost_bounds(const FlatGraph& graph, const DualAscent& ascent);

}  // namespace neuroprim::steiner
