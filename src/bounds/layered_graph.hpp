#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// What a layered graph is made from: a limit on a sum along every way from the root.
struct LayerRule {
    std::vector<Vertex> centre;  ///< one vertex, the root, or two that are joined: all of these are in layer 0
    int last_layer = 0;          ///< no vertex lies in a later one
    double step = 0;  ///< an edge of weight w leads ⌊w ÷ step⌋ layers on; 0: one layer, whatever it weighs
    bool nearer_is_better = false;  ///< a tree stays feasible if any vertex is hung from the centre instead
};

/// What a tree has to hold, or to pay for.
struct LayerGoal {
    std::vector<Vertex> vertices;      ///< at least one of them
    double prize = Weights::infinity;  ///< that the tree costs without any
};

/// Copies of the vertices, one in each layer that they may lie in (Gouveia). A tree that keeps the limit is a Steiner
/// arborescence from the centre over arcs (u, ℓ) → (v, ℓ + step(u, v)), in which each goal has a terminal that is
/// reached at no cost from all copies of its vertices, and from the centre for its prize.
///
/// Node 0 is the centre. Layers rise with the numbers of nodes; terminals come last, but for those that are copies.
class LayeredGraph {
public:
    struct Arc {
        Vertex to;   ///< the node that it comes from: the other end, as in other graphs of dual ascents
        int inward;  ///< its own number; the arcs into a node have consecutive ones
    };

    /// Vertices or copies between two questions whether to stop; each has up to n arcs.
    static constexpr unsigned nodes_between_looks = 16;

    /// No tree holds two vertices of one group; `groups`: (n) −1 for those in none, or empty. O(layers · m). Throws
    /// Interrupted when the stop token expires.
    LayeredGraph(const Weights& weights, std::span<const LayerGoal> goals, const LayerRule& rule,
                 std::span<const int> groups = {}, const StopToken& stop = {});

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(vertex_.size()); }
    [[nodiscard]] std::span<const Vertex> terminals() const { return terminals_; }
    [[nodiscard]] std::span<const Arc> arcs(Vertex node) const {
        return std::span(arcs_).subspan(begin_[index(node)], begin_[index(node) + 1] - begin_[index(node)]);
    }
    [[nodiscard]] const std::vector<double>& weights() const { return weights_; }  ///< (arcs)
    [[nodiscard]] Vertex vertex(Vertex node) const { return vertex_[index(node)]; }

    /// −1 for terminals that are no copies.
    [[nodiscard]] int layer(Vertex node) const { return layer_[index(node)]; }

    /// Which vertex of the centre an arc from node 0 comes from.
    [[nodiscard]] Vertex source(const Arc& arc) const {
        return arc.to == 0 ? source_[static_cast<std::size_t>(arc.inward)] : vertex(arc.to);
    }

    /// The layers that each vertex may lie in.
    struct Window {
        std::int16_t first = 0;
        std::int16_t last = 0;

        [[nodiscard]] bool holds(int layer) const { return layer >= first && layer <= last; }
    };

    /// The graph without the arcs that are not kept and without copies outside their windows. Copies that no arc
    /// leads to disappear. If one copy is left of a goal without a prize, it becomes the terminal. Throws
    /// Interrupted.
    [[nodiscard]] LayeredGraph restricted(const std::vector<bool>& keeps, std::span<const Window> windows,
                                          const StopToken& stop = {}) const;

private:
    LayeredGraph() = default;
    void add_node(Vertex vertex, int layer);
    void add_arc(Vertex from, double weight, Vertex source);

    std::vector<std::size_t> begin_;  // (nodes + 1)
    std::vector<Arc> arcs_;
    std::vector<double> weights_;  // (arcs)
    std::vector<Vertex> source_;   // (arcs) the vertex at the other end
    std::vector<Vertex> vertex_;   // (nodes)
    std::vector<int> layer_;       // (nodes)
    std::vector<Vertex> terminals_;
};

}  // namespace neuroprim
