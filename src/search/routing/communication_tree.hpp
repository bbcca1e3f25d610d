#pragma once

#include <span>
#include <utility>
#include <vector>

#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// The traffic between every two vertices, as a full table.
class Traffic {
public:
    Traffic(Vertex n, std::span<const double> lower_triangle);

    [[nodiscard]] std::span<const double> of(Vertex v) const { return std::span(rows_).subspan(index(v) * n_, n_); }
    [[nodiscard]] double total(Vertex v) const { return total_[index(v)]; }

private:
    std::size_t n_;
    std::vector<double> rows_;   // (n, n), zero on the diagonal
    std::vector<double> total_;  // (n)
};

/// A spanning tree with what makes the best exchange of an edge quick to find when traffic differs between pairs.
/// O(n²) memory; every change is O(n²).
class CommunicationTree {
public:
    /// What it is given must outlive it.
    CommunicationTree(const Lengths& lengths, const Traffic& traffic);

    void load(const Tree& tree);
    void restore(const std::vector<Vertex>& parents);
    [[nodiscard]] const RoutingTree& shape() const { return shape_; }
    [[nodiscard]] double cost() const { return cost_; }

    /// Any change of the shape, through `change(RoutingTree&)`.
    template <class Change>
    void reshape(Change&& change) {
        change(shape_);
        refresh();
    }

    struct Move {
        Vertex lower = no_vertex;
        Vertex inside = no_vertex;
        Vertex outside = no_vertex;
        double gain = 0;
    };

    /// The best edge of all to join the subtree of `lower` again.
    ///
    /// With T the traffic between the parts A and B, each vertex weighted by its own traffic to the other part, the
    /// edge uv makes what crosses cost S_A(u) + S_B(v) + T · w(u, v). O(n log n) and the pairs that can be better.
    [[nodiscard]] Move best_move(Vertex lower);

    void apply(const Move& move);

private:
    void refresh();
    [[nodiscard]] std::span<double> row(Vertex v) { return std::span(below_).subspan(index(v) * n_, n_); }
    void sum_both_sides(Vertex lower);

    const Lengths* lengths_;
    const Traffic* traffic_;
    RoutingTree shape_;
    std::size_t n_;
    double cost_ = 0;
    std::vector<double> below_;  // (n, n) traffic between the subtree of the row and each vertex
    std::vector<double> cut_;    // (n) traffic over the edge above
    std::vector<double> share_;  // (n) traffic to the other part, of the subtree in its own part
    std::vector<double> sum_;    // (n) S_A outside, S_B inside
    std::vector<std::pair<double, Vertex>> inside_;
    std::vector<std::pair<double, Vertex>> outside_;
};

}  // namespace neuroprim::routing
