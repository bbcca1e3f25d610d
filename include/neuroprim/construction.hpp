#pragma once

#include <span>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

class Problem;

/// A tree while it grows, edge by edge, from one start vertex: the state that every construction shares.
///
/// The allowed next edges are the graph's edges from `open()` (in the tree, with residual capacity) to the vertices
/// of `outside()` that the problem admits and whose pair it allows. Without a rule for pairs the mask of step t is an
/// outer product. Both lists are kept compact. What is left of the resources that the specification limits is kept as
/// the tree grows. Adding an edge costs O(1), or O(size of the tree) for a problem whose residual capacity is not
/// local.
class Construction {
public:
    Construction(const Problem& problem, Vertex start);

    /// Joins the outside vertex `v` through the tree vertex `u`. Checks nothing: ask `allows` first if unsure.
    void add(Vertex u, Vertex v);

    /// Whether the graph has the edge and the rules allow it now: row, column and pair.
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

    // Three questions to a growing tree. One that may not stop and has no allowed edge is a dead end.

    [[nodiscard]] bool may_stop() const;   ///< everything is in that must be
    [[nodiscard]] bool must_stop() const;  ///< nothing is left outside that it should hold
    /// It may stop here, and the tree keeps every limit by definition. O(n log n).
    [[nodiscard]] bool is_feasible() const;

    // What the specification's limits have used up so far; kept only where there is such a limit.

    /// The way from the start, by weight.
    [[nodiscard]] double length(Vertex v) const { return length_[index(v)]; }
    /// The demand in the branch of `v`; 0 at the start, where branches begin.
    [[nodiscard]] double branch_load(Vertex v) const {
        return branch_[index(v)] == no_vertex ? 0 : load_[index(branch_[index(v)])];
    }
    /// The most edges between `v` and any vertex of the tree.
    [[nodiscard]] Vertex eccentricity(Vertex v) const { return eccentricity_[index(v)]; }
    [[nodiscard]] bool has_group(int group) const { return group_is_in_[static_cast<std::size_t>(group)]; }
    [[nodiscard]] int groups_outside() const { return groups_outside_; }
    /// Included edges at the tree vertex `u` that the tree does not have yet.
    [[nodiscard]] int included_left(Vertex u) const { return included_left_[index(u)]; }
    /// Has the tree a vertex of this component of included edges?
    [[nodiscard]] bool has_component(int component) const {
        return component_is_in_[static_cast<std::size_t>(component)];
    }

    /// Vertices in the tree.
    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(tree_.edges.size()) + 1; }
    [[nodiscard]] const Tree& tree() const { return tree_; }

private:
    void remove_outside(Vertex v);
    void open_if_capacity(Vertex v);
    void close_if_full(Vertex v);
    void start_resources();
    void use_resources(Vertex u, Vertex v);
    void take_group(Vertex v);
    void take_component(Vertex v);
    void widen(Vertex v);

    const Problem* problem_;
    Tree tree_;
    std::vector<int> degree_;     // (n)
    std::vector<Vertex> depth_;   // (n)
    std::vector<Vertex> parent_;  // (n)
    std::vector<Vertex> place_;   // (n) position in open_ or outside_; −1 for closed vertices
    std::vector<Vertex> open_;
    std::vector<Vertex> outside_;
    Vertex required_outside_ = 0;

    // Empty where the specification has no such limit.
    std::vector<double> length_;        // (n) from the start
    std::vector<Vertex> branch_;        // (n) the child of the start that it hangs from
    std::vector<double> load_;          // (n) of the branch that begins here
    std::vector<Vertex> eccentricity_;  // (n)
    std::vector<Vertex> distance_;      // (n) from the vertex that was added last
    std::vector<bool> group_is_in_;     // (groups)
    int groups_outside_ = 0;
    std::vector<int> included_left_;     // (n)
    std::vector<bool> component_is_in_;  // (components of included edges)
};

}  // namespace neuroprim
