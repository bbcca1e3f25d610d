#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neuroprim/tree.hpp"
#include "search/routing/lengths.hpp"

namespace neuroprim::routing {

/// A spanning tree with all that makes a change of its routing cost quick to know.
///
/// Vertices have masses: the cost is Σ over pairs of mass(u) · mass(v) · distance in the tree. With masses of one
/// that is the routing cost; larger ones stand for clusters of vertices. Every change is O(n), every question O(1).
class RoutingTree {
public:
    /// `lengths` must outlive it.
    RoutingTree(const Lengths& lengths, std::vector<double> masses);

    /// Takes a spanning tree over, its edges in any order.
    void load(const Tree& tree);
    [[nodiscard]] Tree tree() const;

    /// The same as a parent for each vertex, `no_vertex` at the root: the quickest way to keep a tree and come back.
    [[nodiscard]] const std::vector<Vertex>& parents() const { return parent_; }
    void restore(const std::vector<Vertex>& parents);

    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(parent_.size()); }
    [[nodiscard]] Vertex root() const { return order_.front(); }
    [[nodiscard]] Vertex parent(Vertex v) const { return parent_[index(v)]; }
    [[nodiscard]] std::span<const Vertex> children(Vertex v) const {
        return std::span(child_).subspan(index(first_[index(v)]), index(first_[index(v) + 1] - first_[index(v)]));
    }
    [[nodiscard]] bool is_leaf(Vertex v) const { return v != root() && children(v).empty(); }

    /// The first of its children, those that are no leaves.
    [[nodiscard]] std::span<const Vertex> hub_children(Vertex v) const {
        return children(v).first(index(hub_children_[index(v)]));
    }

    /// Every vertex that is no leaf, in `order`.
    [[nodiscard]] const std::vector<Vertex>& hubs() const { return hubs_; }

    /// Depth first, parents before children: the subtree of v is `below(v)`.
    [[nodiscard]] std::span<const Vertex> order() const { return order_; }
    [[nodiscard]] std::span<const Vertex> below(Vertex v) const {
        return order().subspan(index(place_[index(v)]), index(count_[index(v)]));
    }
    [[nodiscard]] Vertex place(Vertex v) const { return place_[index(v)]; }

    /// Is v in the subtree of u?
    [[nodiscard]] bool is_above(Vertex u, Vertex v) const {
        const Vertex offset = place(v) - place(u);
        return offset >= 0 && offset < count_[index(u)];
    }

    /// In the tree. O(depth).
    [[nodiscard]] double distance(Vertex u, Vertex v) const;

    [[nodiscard]] double mass(Vertex v) const { return mass_[index(v)]; }
    [[nodiscard]] double total_mass() const { return total_; }
    [[nodiscard]] double length_above(Vertex v) const { return length_[index(v)]; }
    [[nodiscard]] double mass_below(Vertex v) const { return mass_below_[index(v)]; }  ///< v itself included
    [[nodiscard]] double height(Vertex v) const { return height_[index(v)]; }          ///< distance to the root

    /// Σ mass(x) · distance(v, x) over the subtree of v, and over the whole tree.
    [[nodiscard]] double sum_below(Vertex v) const { return sum_below_[index(v)]; }
    [[nodiscard]] double sum(Vertex v) const { return sum_[index(v)]; }

    /// When the neighbours of v last changed, as `time` had it.
    [[nodiscard]] std::int64_t changed_at(Vertex v) const { return changed_at_[index(v)]; }

    /// Changes from now on happen at the next time.
    void advance_time() { ++time_; }
    [[nodiscard]] std::int64_t time() const { return time_; }

    /// Cuts the subtree of `lower` off and joins it again by an edge from `inside`, a vertex of it, to `outside`.
    void regraft(Vertex lower, Vertex inside, Vertex outside);

    /// Neighbours of `from` become neighbours of `to`, itself a neighbour of `from`. Only the parents know of it till
    /// `refresh` is called; till then further shifts may follow away from hubs that none has touched.
    void shift(Vertex from, Vertex to, std::span<const Vertex> moved);

    /// Brings everything in line with the parents. O(n).
    void refresh();

    /// Hangs leaves from other vertices, which must not be among the leaves: (leaf, new parent).
    void move_leaves(std::span<const Edge> leaf_and_parent);

private:
    void turn_up(Vertex inside, Vertex lower);
    void refresh_order();
    void note_changes();

    const Lengths* lengths_;
    std::vector<double> mass_;  // (n)
    double total_ = 0;
    double cost_ = 0;
    std::vector<Vertex> parent_;        // (n)
    std::vector<double> length_;        // (n) of the edge above
    std::vector<Vertex> first_;         // (n + 1) where children stand in child_
    std::vector<Vertex> child_;         // (n − 1)
    std::vector<Vertex> hub_children_;  // (n) how many of the children are hubs
    std::vector<Vertex> order_;         // (n)
    std::vector<Vertex> place_;         // (n) in order_
    std::vector<Vertex> count_;         // (n) vertices below
    std::vector<Vertex> hubs_;
    std::int64_t time_ = 0;
    std::vector<std::int64_t> changed_at_;  // (n)
    std::vector<std::uint64_t> signature_;  // (n) of the neighbours at the last refresh
    std::vector<std::uint64_t> signature_now_;
    std::vector<Vertex> next_;
    std::vector<double> mass_below_;  // (n)
    std::vector<double> sum_below_;   // (n)
    std::vector<double> sum_;         // (n)
    std::vector<double> height_;      // (n)
};

}  // namespace neuroprim::routing
