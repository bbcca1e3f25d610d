#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "steiner/graph.hpp"

namespace neuroprim::steiner {

/// Asks about special distances (bottleneck Steiner distances): the special length of a path is the length of its
/// longest piece between terminals, its ends counted as such; a tree that uses an edge longer than the special
/// distance of its ends can be mended to a cheaper one (Duin and Volgenant). With prizes a piece is as long as its
/// edges without the prizes inside it, each counted once (Rehfeldt and Koch's prize-constrained distance): whoever
/// takes it in collects them.
class SpecialDistance {
public:
    /// A question looks at `effort` arcs at most and then answers no.
    SpecialDistance(const Graph& graph, std::size_t effort);

    /// Is there a path from u to v of special length ≤ limit that avoids this edge and this vertex? No may mean
    /// that none was found in time.
    [[nodiscard]] bool within(Vertex u, Vertex v, double limit, int without_edge, Vertex without_vertex = no_vertex);

private:
    const Graph* graph_;
    std::size_t effort_;
    std::vector<double> length_;    // (n) since the last terminal
    std::vector<char> is_settled_;  // (n) a prize was counted, which may be done once
    std::vector<Vertex> touched_;   // whose length is finite
    std::vector<std::pair<double, Vertex>> queue_;
};

/// Bottlenecks between vertices joined in order of weight: union by size, and the weight of each link. A query
/// climbs O(log n) links.
class BottleneckForest {
public:
    explicit BottleneckForest(Vertex n);

    /// Weights must not decrease from call to call. False when u and v are joined already.
    bool join(Vertex u, Vertex v, double weight);

    /// The heaviest edge between them in the minimum spanning tree; infinity when they are not joined.
    [[nodiscard]] double between(Vertex u, Vertex v) const;

private:
    std::vector<Vertex> parent_;  // (n)
    std::vector<Vertex> size_;    // (n)
    std::vector<double> weight_;  // (n) of the link to the parent, infinity at roots
};

}  // namespace neuroprim::steiner
