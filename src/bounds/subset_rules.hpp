#pragma once

#include <optional>
#include <vector>

#include "bounds/price_lines.hpp"
#include "bounds/vertex_sets.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

/// What a specification says about a tree whose subtrees are known by their sets of vertices.
///
/// If the set A hangs below an edge, then A tells the load of the edge, the pairs on both sides of it and the
/// included edges that it must be. So every objective is a sum over edges of weight × price(A), and every limit is
/// one on A, on the height of A's subtree (in hops or by weight) or on the children of a vertex.
///
/// Vertices have numbers of their own, far ones first; a root is the last.
class SubsetRules {
public:
    explicit SubsetRules(const Problem& problem);

    [[nodiscard]] int size() const { return n_; }
    [[nodiscard]] VertexSet all() const { return all_; }
    [[nodiscard]] Vertex vertex(int v) const { return order_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] bool is_rooted() const { return rooted_; }
    [[nodiscard]] double weight(int u, int v) const {
        return weights_[static_cast<std::size_t>(u) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(v)];
    }

    /// May a subtree be a part of the tree's vertices at all: does it keep the capacity and have one vertex of each
    /// group at most?
    [[nodiscard]] bool allows(VertexSet set) const { return loads_(set) <= capacity_ && allows_groups(set); }
    [[nodiscard]] bool allows_groups(VertexSet set) const { return group_sets_.empty() || !repeats_group(set); }

    /// Of the edge above such a subtree, per unit of weight.
    [[nodiscard]] double price(VertexSet below) const;

    /// The included edges that lead out of the set: more than one forbids it, one must be the edge above it.
    struct Crossing {
        int count = 0;
        int inside = -1;
        int outside = -1;
    };
    [[nodiscard]] Crossing crossing(VertexSet below) const;

    [[nodiscard]] bool must_hold_all() const { return required_ == all_; }

    /// The set and all others of its vertices' groups, which are out when it is in.
    [[nodiscard]] VertexSet with_groups(VertexSet set) const {
        for (const VertexSet group : group_sets_) set |= (group & set) != 0 ? group : 0;
        return set;
    }

    /// May the tree do without `v`, if it holds none of `open` so far? Some vertex of its group must be left.
    [[nodiscard]] bool may_skip(int v, VertexSet open) const;
    [[nodiscard]] double prize(int v) const { return prizes_[static_cast<std::size_t>(v)]; }

    [[nodiscard]] int most_children(int v, bool is_root) const {
        return degrees_[static_cast<std::size_t>(v)] - (is_root ? 0 : 1);
    }

    /// May a subtree at v be so high? Ways from the root to v are as short as the graph allows.
    [[nodiscard]] bool allows_height(int v, int height, double reach) const {
        return height <= most_height_[static_cast<std::size_t>(v)] &&
               reach <= most_reach_[static_cast<std::size_t>(v)];
    }
    /// May the ends of two ways down from one vertex be in the same tree?
    [[nodiscard]] bool allows_sum(int height, int other) const { return height + other <= diameter_; }

    [[nodiscard]] bool counts_height() const { return counts_height_; }
    [[nodiscard]] bool counts_reach() const { return counts_reach_; }
    [[nodiscard]] bool counts_children() const { return counts_children_; }

    /// Sets that subtrees can have: they never hold a root.
    [[nodiscard]] std::size_t sets() const { return std::size_t{1} << (rooted_ ? n_ - 1 : n_); }

    /// How many vertices a subtree has at most.
    [[nodiscard]] int most_below() const { return rooted_ ? n_ - 1 : n_ / 2; }

    /// What the edges outside a subtree cost at least, with prizes of vertices that they do not reach. `below` is
    /// what hangs from `top`, without it.
    [[nodiscard]] double cost_outside(VertexSet below, int top);

    [[nodiscard]] const std::vector<Vertex>& order() const { return order_; }

private:
    void number_vertices(const Problem& problem);
    void measure_ways(const Problem& problem);
    [[nodiscard]] bool repeats_group(VertexSet set) const;
    [[nodiscard]] double spanning_tree(VertexSet set) const;

    int n_;
    bool rooted_;
    Objective objective_;
    TreeSpec spec_;
    VertexSet all_;
    std::vector<Vertex> order_;    // (n) by number
    std::vector<double> weights_;  // (n, n) infinity where there is no edge
    std::vector<Edge> included_;   // by number
    VertexSet required_ = 0;
    std::vector<VertexSet> group_sets_;  // (groups)
    std::vector<int> degrees_;           // (n)
    std::vector<int> most_height_;       // (n)
    std::vector<double> most_reach_;     // (n)
    int diameter_;
    bool counts_height_;
    bool counts_reach_;
    bool counts_children_;
    double capacity_;
    SetSums loads_;
    SetSums masses_;
    std::vector<double> prizes_;         // (n)
    std::vector<SetSums> requirements_;  // (n) of each vertex to sets
    double least_price_ = 1;             // of any edge
    std::vector<PriceLine> price_lines_;
    SetSums flows_;                  // load × distance from the root
    std::vector<double> distances_;  // (n) from the root; empty without one
    SetSums least_entries_;          // what each vertex pays at least: an edge to its parent, or its prize
    double most_entry_ = 0;          // which a root does not pay
    std::vector<double> spanning_;   // (sets) spanning trees of sets, with the root; NaN: not known
};

}  // namespace neuroprim
