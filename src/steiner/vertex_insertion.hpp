#pragma once

#include <span>
#include <utility>
#include <vector>

#include "graph/stop_token.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// Steiner vertex insertion: a vertex outside joins by all its edges into the tree, and of each cycle the heaviest
/// edge goes, when that makes the tree cheaper.
class VertexInsertion {
public:
    VertexInsertion(const FlatGraph& graph, std::span<const double> weights) : graph_(graph), weights_(weights) {}

    /// One pass over all vertices. True when the tree got cheaper (and was pruned). O(Σ degree · depth).
    /// An expired stop token ends it early.
    bool improve(EdgeTree& tree, const StopToken& stop = {});

    /// What the tree would gain by `v`, which is outside; positive when cheaper. Leaves the tree as it is.
    [[nodiscard]] double gain(const EdgeTree& tree, Vertex v);

private:
    void hang(const EdgeTree& tree);
    [[nodiscard]] bool contains(Vertex v) const { return parent_[index(v)] != outside; }
    [[nodiscard]] double weight(int e) const { return weights_[static_cast<std::size_t>(e)]; }
    [[nodiscard]] double insert(Vertex v);
    void set_parent(Vertex v, Vertex parent, int edge);
    void undo();

    static constexpr Vertex outside = -2;
    struct Change {
        Vertex v, parent;
        int edge;
    };

    const FlatGraph& graph_;
    std::span<const double> weights_;  // (m)
    std::vector<Vertex> parent_;       // (n) no_vertex at the root
    std::vector<int> edge_;            // (n) to the parent
    std::vector<int> mark_;            // (n)
    int marks_ = 0;
    std::vector<Change> changes_;
};

}  // namespace neuroprim::steiner
