#pragma once

#include <memory>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "steiner/graph.hpp"

namespace neuroprim::steiner {

/// The graph in which Steiner trees are looked for.
struct SearchGraph {
    Graph graph;
    bool keeps_optimum;  ///< false: a short list of edges, from which nothing can be proven
    bool whole_weights;  ///< all weights are whole numbers, so bounds may be rounded up
};

/// Sparse graphs as they are. Complete ones, and points, without the edges that are longer than a special path that
/// is plain to see: through terminals near both ends and the minimum spanning tree of the terminals. With prizes a
/// complete graph keeps all its edges.
///
/// O(m log m), for points about the pairs that are near; memory for the edges that stay. Vertex numbers are those of
/// the problem. Null where the edges are too many, or the stop token expired before.
[[nodiscard]] std::unique_ptr<SearchGraph> exact_graph(const Problem& problem, const StopToken& stop);

/// The same, but points whose edges are too many (or that nobody has the time to look at) keep those to their nearest
/// neighbours and a spanning tree, and `keeps_optimum` is false. Null when the stop token expired before there was
/// any connected graph.
[[nodiscard]] std::unique_ptr<SearchGraph> search_graph(const Problem& problem, const StopToken& stop);

}  // namespace neuroprim::steiner
