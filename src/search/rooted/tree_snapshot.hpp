#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim::rooted {

/// A rooted tree that stands still, with all that its windows have to know of it. Every vertex should hang from the
/// root; those that a cycle keeps from it are missing in `order`. O(n) to make.
struct TreeSnapshot {
    TreeSnapshot(const Problem& problem, Vertex root_vertex, Vertex twin_vertex, std::vector<Vertex> parents);

    [[nodiscard]] std::span<const Vertex> children(Vertex v) const {
        return std::span(children_).subspan(begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]);
    }

    [[nodiscard]] int degree(Vertex v) const {
        return static_cast<int>(children(v).size()) + (parent[index(v)] == no_vertex ? 0 : 1);
    }

    /// Does `v` hang from `u`, or is it that vertex?
    [[nodiscard]] bool is_below(Vertex v, Vertex u) const {
        return place[index(u)] <= place[index(v)] && place[index(v)] < end[index(u)];
    }

    Vertex root;
    Vertex twin;                 // of the root, where the centre of a limited diameter is an edge
    std::vector<Vertex> parent;  // (n)
    std::vector<Vertex> order;   // depth first
    std::vector<Vertex> place;   // (n) in that order
    std::vector<Vertex> end;     // (n) the place behind the last vertex that hangs from it
    std::vector<int> hops;       // (n) from the root; none above the twin
    std::vector<double> way;     // (n) length from the root, where lengths are limited; 0 otherwise

private:
    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<Vertex> children_;
};

/// Of a tree of the problem, hung from its root or, where the diameter is limited, from its centre. O(n).
[[nodiscard]] TreeSnapshot snapshot_of(const Problem& problem, const Tree& tree);

}  // namespace neuroprim::rooted
