#pragma once

#include <span>
#include <vector>

#include "neuroprim/types.hpp"
#include "steiner/graph.hpp"

namespace neuroprim::steiner {

/// How prizes become terminals (FlatGraph).
struct PrizeModel {
    Vertex anchor = no_vertex;  ///< a vertex of the graph that trees must hold; its first terminal unless given
    double detour = 0;          ///< M: more than any tree of interest costs, its price included
    double tree_price = 0;      ///< of each tree of a forest, where the graph is rootless and no anchor is given
};

/// A graph with terminals that does not change any more, laid out for speed; vertices and edges are renumbered.
///
/// Arc 2e leads from the end u of edge e to its end v, arc 2e + 1 back.
///
/// Prizes are turned into a Steiner problem without them: a vertex v with a prize gets a copy, which is a terminal,
/// with an edge to v of weight M and one to the anchor of weight M + prize. M is so large that copies are leaves of
/// every tree of interest, so a tree weighs M for every copy and what it costs. Where no vertex is known to be in the
/// tree, a new vertex takes the anchor's part, with edges to all vertices with prizes that weigh the price of a tree.
/// If that is what the best known tree is worth (the prizes without what the tree costs), then no forest of cheaper
/// trees pays, and a bound for forests is one for trees. What was added comes last in all numberings.
class FlatGraph {
public:
    struct Link {
        Vertex u, v;
        double weight;
    };
    struct Arc {
        Vertex to;
        int edge;
        double weight;
        int inward;  ///< the directed arc that comes from `to`; inward ^ 1 goes there
    };

    explicit FlatGraph(const Graph& graph, const PrizeModel& model = {});

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(begin_.size()) - 1; }
    [[nodiscard]] int edge_count() const { return static_cast<int>(links_.size()); }
    [[nodiscard]] std::span<const Arc> arcs(Vertex v) const {
        return std::span(arcs_).subspan(begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]);
    }
    [[nodiscard]] const Link& link(int e) const { return links_[static_cast<std::size_t>(e)]; }
    [[nodiscard]] bool is_terminal(Vertex v) const { return terminal_[index(v)] != 0; }
    [[nodiscard]] std::span<const Vertex> terminals() const { return terminals_; }
    [[nodiscard]] const std::vector<double>& weights() const { return weights_; }  ///< (m)

    /// Where it came from; `no_vertex` and `Graph::none` for what was added.
    [[nodiscard]] Vertex vertex(Vertex v) const { return vertex_[index(v)]; }
    [[nodiscard]] int edge(int e) const { return edge_[static_cast<std::size_t>(e)]; }

    /// What all trees weigh beyond what they cost: M for every copy, and the price of one tree.
    [[nodiscard]] double surplus() const { return surplus_; }
    [[nodiscard]] bool has_copies() const { return edge_count() > given_edges_; }
    /// The vertex that copies without their originals are joined to; meaningful where there are copies.
    [[nodiscard]] Vertex anchor() const { return anchor_; }
    /// The edges that stand for collecting and for losing a prize come in pairs: e, then e + 1.
    [[nodiscard]] int first_prize_edge() const { return given_edges_; }
    [[nodiscard]] int end_of_prize_edges() const { return end_of_prize_edges_; }
    /// The part of an edge's weight that must stay what it is when weights are perturbed: M or 0.
    [[nodiscard]] double offset(int e) const { return e >= given_edges_ ? detour_ : 0; }
    [[nodiscard]] double scaled(int e, double factor) const {
        return offset(e) + factor * (link(e).weight - offset(e));
    }

private:
    void add_link(Vertex u, Vertex v, double weight, int origin);
    void add_copies(const Graph& graph, const PrizeModel& model, const std::vector<Vertex>& place);
    void find_arcs();

    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<Arc> arcs_;           // (2m)
    std::vector<Link> links_;         // (m)
    std::vector<double> weights_;     // (m)
    std::vector<char> terminal_;      // (n)
    std::vector<Vertex> terminals_;
    std::vector<Vertex> vertex_;  // (n)
    std::vector<int> edge_;       // (m)
    int given_edges_ = 0;
    int end_of_prize_edges_ = 0;
    Vertex anchor_ = no_vertex;
    double detour_ = 0;
    double surplus_ = 0;
};

}  // namespace neuroprim::steiner
