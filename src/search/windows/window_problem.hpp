#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "search/windows/tree_windows.hpp"

namespace neuroprim {

/// The one with the smaller number of a path's two; its start where it has no edge. O(n).
[[nodiscard]] Vertex end_of_path(const Tree& tree, Vertex n);

/// A tree under the limits of a problem, seen from where these are counted.
struct HangingTree {
    /// From the centre where the diameter is limited, from both of its vertices where that is an edge, unless more
    /// than hops is counted from the root; then from the root, if any; otherwise from an end of the path, or from the
    /// start. O(n).
    HangingTree(const Problem& problem, const Tree& tree);
    /// From these, as another tree did: its windows are not those of a tree that hangs from elsewhere.
    HangingTree(const Problem& problem, const Tree& tree, std::vector<Vertex> from);

    /// An edge that is in no window.
    [[nodiscard]] std::optional<Edge> centre() const;

    std::vector<Vertex> roots;  ///< one, or both ends of the centre
    RootedTree rooted;
    std::optional<int> hops;  ///< the most from where it hangs, by the limits on hops and on the diameter
    int chain = 0;            ///< hops that seem to hang from the root (`chain_at_root`)
    double total_mass = 0;

    std::vector<int> degree;     // (n)
    std::vector<double> way;     // (n) length from the root
    std::vector<int> height;     // (n) hops to the deepest vertex below
    std::vector<double> reach;   // (n) length to the farthest vertex below
    std::vector<double> demand;  // (n) of what hangs from here, the vertex among it
    std::vector<double> mass;    // (n) likewise
};

/// What hangs from each vertex by windows of which it is the top, with its own demand and mass.
struct BelowWindows {
    BelowWindows(const Problem& problem, const HangingTree& tree, std::span<const TreeWindow> windows);

    std::vector<int> height;     // (n)
    std::vector<double> reach;   // (n)
    std::vector<double> demand;  // (n)
    std::vector<double> mass;    // (n)
};

/// The window of a tree as a problem of its own: what hangs below it is demand, mass, height and used degree of its
/// vertices; what lies above leaves its top as the root, with what is left of hops and length there. A better tree of
/// the window makes the whole tree better by as much, and keeps its limits.
class WindowProblem {
public:
    /// `joining` are vertices outside the tree that may come in: all others of a group, or none of it. `window` must
    /// be one of those that `below` was made from.
    WindowProblem(const Problem& whole, const HangingTree& tree, const BelowWindows& below, const TreeWindow& window,
                  std::span<const Vertex> joining);
    WindowProblem(const WindowProblem&) = delete;
    WindowProblem& operator=(const WindowProblem&) = delete;

    /// Does it ask for nothing but a shortest spanning tree?
    [[nodiscard]] bool is_free() const { return is_free_; }

    [[nodiscard]] const Problem& problem() const { return *problem_; }

    /// The window's part of the whole tree.
    [[nodiscard]] const Tree& tree() const { return tree_; }
    [[nodiscard]] Vertex top() const { return top_; }

    /// The number in the whole problem of a vertex of the window.
    [[nodiscard]] Vertex whole(Vertex v) const { return vertices_[index(v)]; }
    [[nodiscard]] std::span<const Vertex> vertices() const { return vertices_; }

    /// Where the policy sees the vertices: a top outside the others' box is seen on its border, or the others would
    /// look like one point. Empty where the graph has no positions.
    [[nodiscard]] std::span<const Point> seen_at() const { return seen_at_; }

private:
    void take_limits(const Problem& whole, const HangingTree& tree, const BelowWindows& below,
                     const TreeWindow& window, TreeSpec& spec) const;
    void take_coverage(const Problem& whole, const HangingTree& tree, TreeSpec& spec) const;
    void place(const Problem& whole);
    [[nodiscard]] Vertex local(Vertex v) const;

    std::vector<Vertex> vertices_;  // increasing
    Instance instance_;
    std::unique_ptr<const Problem> problem_;
    Tree tree_;
    Vertex top_ = 0;
    bool is_free_ = false;
    std::vector<int> inside_;  // (n) tree edges in the window
    std::vector<Point> seen_at_;
};

}  // namespace neuroprim
