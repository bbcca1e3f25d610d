#pragma once

#include <span>
#include <utility>
#include <vector>

#include "graph/stop_token.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// Key-path exchange and key-vertex elimination after Uchoa and Werneck (Fast local search for the Steiner problem
/// in graphs). Key vertices of a tree are its terminals and branching vertices; a key path joins two of them. A key
/// path is replaced by the shortest path between the parts that it joins; a branching vertex goes with all its key
/// paths, and the parts are joined by a minimum spanning tree of shortest paths.
///
/// Shortest paths are read off the Voronoi regions of the tree's vertices: the regions of removed vertices are
/// mended, everything else stands. The best edge out of a subtree is on top of a heap; heaps merge upwards.
class KeyMoves {
public:
    KeyMoves(const FlatGraph& graph, std::span<const double> weights);

    struct Move {
        double gain = 0;
        std::vector<int> removed, added;  // edges
    };

    /// All moves that gain, each priced against the tree as it stands. Some O(m log² n).
    /// Fewer when the stop token expires.
    [[nodiscard]] std::vector<Move> moves(const EdgeTree& tree, const StopToken& stop = {});

    /// Applies what gains, the best first, each priced again by the tree that results. True when cheaper.
    bool improve(EdgeTree& tree, const StopToken& stop = {});

private:
    struct Boundary {
        double length;
        int edge;
        friend bool operator>(const Boundary& a, const Boundary& b) {
            return a.length != b.length ? a.length > b.length : a.edge > b.edge;
        }
    };

    void hang(const EdgeTree& tree);
    void find_regions();
    void find_boundaries();
    void mend(std::span<const Vertex> removed, double limit);
    void forget_mending();

    [[nodiscard]] bool below(Vertex v, Vertex top) const {
        return enter_[index(v)] >= enter_[index(top)] && enter_[index(v)] < leave_[index(top)];
    }
    [[nodiscard]] bool is_key(Vertex v) const { return graph_.is_terminal(v) || degree_[index(v)] > 2; }
    [[nodiscard]] double weight(int e) const { return weights_[static_cast<std::size_t>(e)]; }
    [[nodiscard]] Vertex base(Vertex v) const;
    [[nodiscard]] double length(Vertex v) const;
    [[nodiscard]] double boundary_length(int e) const;
    void append_way(Vertex v, std::vector<int>& edges) const;
    void append_path(int e, std::vector<int>& edges) const;
    Vertex climb(Vertex x, Move& move, std::vector<Vertex>& inner) const;
    void exchange(Vertex x, std::vector<Move>& moves);
    void eliminate(Vertex x, std::vector<Move>& moves);
    void merge_heap(Vertex from, Vertex into);
    [[nodiscard]] const Boundary* best_out_of(Vertex x, Vertex top, std::span<const Vertex> inner);

    const FlatGraph& graph_;
    std::span<const double> weights_;
    double least_gain_ = 0;

    // The tree, rooted at a terminal.
    std::vector<Vertex> order_;                      // parents first, a subtree in one piece
    std::vector<Vertex> parent_;                     // (n)
    std::vector<int> parent_edge_;                   // (n)
    std::vector<int> degree_;                        // (n) 0 outside
    std::vector<int> enter_, leave_;                 // (n) places of the subtree in order_
    std::vector<std::vector<Vertex>> key_children_;  // (n)

    // Voronoi regions of the tree's vertices, and the mended labels of some vertices.
    std::vector<Vertex> base_;         // (n)
    std::vector<double> length_;       // (n)
    std::vector<int> via_;             // (n) edge towards the base
    std::vector<Vertex> region_next_;  // (n) the vertices of a region as a list
    std::vector<Vertex> region_first_;
    std::vector<char> is_mended_;  // (n)
    std::vector<Vertex> mended_;
    std::vector<Vertex> new_base_;
    std::vector<double> new_length_;
    std::vector<int> new_via_;

    std::vector<std::vector<Boundary>> heap_;  // (n) boundary edges with one end based in the subtree
    std::vector<std::vector<int>> across_;     // (n) boundary edges whose bases meet at this branching vertex
    std::vector<Vertex> part_;                 // (n) scratch of eliminate
};

}  // namespace neuroprim::steiner
