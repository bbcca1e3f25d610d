#pragma once

#include <span>
#include <vector>

#include "neuroprim/types.hpp"
#include "search/steiner/graph.hpp"

namespace neuroprim::steiner {

/// A graph with terminals that does not change any more, laid out for speed; vertices and edges are renumbered.
///
/// Arc 2e leads from the end u of edge e to its end v, arc 2e + 1 back.
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

    explicit FlatGraph(const Graph& graph);

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(begin_.size()) - 1; }
    [[nodiscard]] int edge_count() const { return static_cast<int>(links_.size()); }
    [[nodiscard]] std::span<const Arc> arcs(Vertex v) const {
        return std::span(arcs_).subspan(begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]);
    }
    [[nodiscard]] const Link& link(int e) const { return links_[static_cast<std::size_t>(e)]; }
    [[nodiscard]] bool is_terminal(Vertex v) const { return terminal_[index(v)] != 0; }
    [[nodiscard]] std::span<const Vertex> terminals() const { return terminals_; }
    [[nodiscard]] const std::vector<double>& weights() const { return weights_; }  ///< (m)

    /// Where it came from.
    [[nodiscard]] Vertex vertex(Vertex v) const { return vertex_[index(v)]; }
    [[nodiscard]] int edge(int e) const { return edge_[static_cast<std::size_t>(e)]; }

private:
    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<Arc> arcs_;           // (2m)
    std::vector<Link> links_;         // (m)
    std::vector<double> weights_;     // (m)
    std::vector<char> terminal_;      // (n)
    std::vector<Vertex> terminals_;
    std::vector<Vertex> vertex_;  // (n)
    std::vector<int> edge_;       // (m)
};

}  // namespace neuroprim::steiner
