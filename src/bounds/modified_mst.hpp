#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// Minimum spanning trees of one graph for vertex penalties that change: an edge uv costs w(u,v) + p(u) + p(v).
///
/// Dense graphs by Prim in O(n²), from a table up to a few thousand vertices; sparse ones by Kruskal. The work can be
/// laid down and taken up again, so that one tree of a large graph may take many slices.
class ModifiedMst {
public:
    explicit ModifiedMst(const Weights& weights);

    /// Is one tree found in well under a second?
    [[nodiscard]] static bool takes(const Weights& weights);

    /// Begins the tree for these penalties; they must not change before it is finished.
    void begin(std::span<const double> penalties);

    /// True when the tree is finished, false when `looks` at edges were used up or the stop token expired before.
    /// Takes off `looks` what it used.
    [[nodiscard]] bool advance(std::int64_t& looks, const StopToken& stop);

    /// The finished tree's edges with their weights, penalties left out.
    [[nodiscard]] std::span<const WeightedEdge> edges() const { return tree_; }

private:
    void grow_by_one();
    void kruskal();

    const Weights* weights_;
    Vertex n_;
    std::vector<double> table_;        // (n, n) where there is one
    std::vector<WeightedEdge> graph_;  // sparse graphs only, by cost under the last penalties
    std::span<const double> penalties_;
    std::vector<WeightedEdge> tree_;
    Vertex last_ = 0;              // joined last
    std::vector<Vertex> outside_;  // vertices still to join
    std::vector<double> cost_;     // (outside) of the cheapest edge to the tree, without the vertex's own penalty
    std::vector<double> weight_;   // (outside) its weight
    std::vector<Vertex> through_;  // (outside) its other end
};

}  // namespace neuroprim
