#pragma once

#include "graph/stop_token.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// Shortens a spanning tree of at most `hops` edges from `root` to any vertex, as long as one of these moves helps:
///
/// - re-hang: a vertex, with its subtree, hangs from a nearer vertex under which it fits;
/// - open: a vertex moves up to hang from a shallower one, and others that are nearer to it than to their parents
///   follow it, where its new depth allows that;
/// - close: a vertex moves down, and the children that no longer fit below it hang elsewhere;
/// - replace: a child takes the place of its parent.
///
/// Every tree on the way keeps the hop limit, so it may be stopped at any time. Some 20 microseconds per vertex on
/// points, less than one of them for the first pass, which only re-hangs; O(degree) per vertex and pass otherwise.
/// Fast on points whose numbers follow a curve: neighbours in space are then neighbours in memory.
[[nodiscard]] Tree improved_within_hops(const Tree& tree, const Weights& weights, Vertex root, int hops,
                                        const StopToken& stop = {});

}  // namespace neuroprim
