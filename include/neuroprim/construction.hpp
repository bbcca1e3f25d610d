#pragma once

#include <span>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

class Problem;

/// A tree while it grows, edge by edge, from one start vertex: the state that every construction shares.
///
/// The allowed next edges are the graph's edges from `open()` (in the tree, with room) to the vertices of
/// `outside()` that the problem admits: the mask of step t is an outer product. Both lists are kept compact.
/// Adding an edge costs O(1), or O(size of `open()`) for a problem whose room is not local.
class Construction {
public:
    Construction(const Problem& problem, Vertex start);

    /// Joins the outside vertex `v` through the tree vertex `u`. Checks nothing: ask `allows` first if unsure.
    void add(Vertex u, Vertex v);

    /// Whether the graph has the edge and the rules allow it now.
    [[nodiscard]] bool allows(Vertex u, Vertex v) const;

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    [[nodiscard]] Vertex start() const { return tree_.start; }
    [[nodiscard]] bool contains(Vertex v) const { return depth_[index(v)] >= 0; }
    [[nodiscard]] int degree(Vertex v) const { return degree_[index(v)]; }
    [[nodiscard]] Vertex depth(Vertex v) const { return depth_[index(v)]; }    ///< −1 outside
    [[nodiscard]] Vertex parent(Vertex v) const { return parent_[index(v)]; }  ///< `no_vertex` for the start
    [[nodiscard]] bool is_open(Vertex v) const { return contains(v) && place_[index(v)] >= 0; }

    [[nodiscard]] std::span<const Vertex> open() const { return open_; }
    [[nodiscard]] std::span<const Vertex> outside() const { return outside_; }

    /// How many vertices that must be in the tree are still outside.
    [[nodiscard]] Vertex required_outside() const { return required_outside_; }
    [[nodiscard]] bool finished() const;

    /// Vertices in the tree.
    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(tree_.edges.size()) + 1; }
    [[nodiscard]] const Tree& tree() const { return tree_; }

private:
    void remove_outside(Vertex v);
    void open_if_room(Vertex v);
    void close_if_full(Vertex v);

    const Problem* problem_;
    Tree tree_;
    std::vector<int> degree_;     // (n)
    std::vector<Vertex> depth_;   // (n)
    std::vector<Vertex> parent_;  // (n)
    std::vector<Vertex> place_;   // (n) position in open_ or outside_; −1 for closed vertices
    std::vector<Vertex> open_;
    std::vector<Vertex> outside_;
    Vertex required_outside_ = 0;
};

}  // namespace neuroprim
