#pragma once

#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim::swaps {

/// A feasible tree rooted at its start, ready for queries about exchanges of one edge.
class SwapTree {
public:
    explicit SwapTree(const Problem& problem) : problem_(&problem) {}

    /// Takes the tree over; its edges may come in any order. O(n).
    void load(const Tree& tree);

    [[nodiscard]] bool contains(Vertex v) const { return rooted_.contains(v); }
    [[nodiscard]] Vertex root() const { return rooted_.order.front(); }
    [[nodiscard]] Vertex parent(Vertex v) const { return rooted_.parent[index(v)]; }
    [[nodiscard]] int degree(Vertex v) const { return degree_[index(v)]; }
    [[nodiscard]] const std::vector<Vertex>& vertices() const { return rooted_.order; }
    [[nodiscard]] bool adjacent(Vertex u, Vertex v) const { return parent(u) == v || parent(v) == u; }

    /// The vertices of highest degree, most first, ties to the one nearer the root.
    [[nodiscard]] const std::vector<Vertex>& hubs() const { return hubs_; }

    /// Weight of the edge above `v`, together with those that lead nowhere without it: the whole chain through
    /// vertices of degree two that need not be in the tree.
    [[nodiscard]] double weight_above(Vertex v) const { return chain_weight_[index(chain_[index(v)])]; }

    /// The tree path from u to v, as the lower ends of its edges, from both ends towards the top. O(its length).
    void path(Vertex u, Vertex v, std::vector<Vertex>& lower_ends) const;

    /// The tree as it is, in growing order.
    [[nodiscard]] Tree tree() const;

    /// Its edges, but `added` in place of the one above `lower`; not in growing order.
    [[nodiscard]] Tree exchanged(Vertex lower, Edge added) const;

private:
    void find_chains();
    void find_hubs();

    const Problem* problem_;
    RootedTree rooted_;
    std::vector<int> degree_;           // (n)
    std::vector<Vertex> chain_;         // (n) the uppermost lower end of the chain that the edge above v is part of
    std::vector<double> chain_weight_;  // (n)
    std::vector<Vertex> hubs_;
};

}  // namespace neuroprim::swaps
