#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/tree.hpp"
#include "search/closure/closure_problem.hpp"
#include "search/closure/free_ways.hpp"

namespace neuroprim {

/// Has the problem windows of this kind? It must ask for a short tree that may leave vertices out, under no limits
/// but on hops and lengths from the root. The graph must be sparse, and larger than a window.
[[nodiscard]] bool has_closure_windows(const Problem& problem);

/// Is this vertex a reason for the tree to come here: must it be in, is it one of a group, has it a prize?
[[nodiscard]] bool is_wanted(const Problem& problem, Vertex v);

/// What a window is made of.
struct ClosureParts {
    /// Edges of the graph that form a forest. Each of its trees is one vertex of the window.
    std::vector<Edge> kept;
    /// Further vertices of the window. Those that lie in the forest say where its trees are seen. Where ways from the
    /// root are limited, the root comes first, and the first one of every other tree is where that hangs from.
    std::vector<Vertex> shown;
};

struct ClosureOptions {
    std::size_t junctions = 15;  ///< the most vertices where ways meet that may come in, too
    double way_price = 0;        ///< under limits: what a way counts beside its weight, so that short ones are found
    double variety = 0;  ///< 0: the junctions that promise most; above: chance decides, also what a way counts
};

/// A part of a tree in a sparse graph as a small dense problem. Its vertices are the trees of a forest, single
/// vertices and junctions; its edges are shortest ways between them. A policy knows such graphs, and no chains of
/// hundreds of vertices. A tree of the window stands for one of the graph.
class ClosureWindow {
public:
    /// `whole` must outlive it. O(m log n) for each vertex of the window, of what lies between them.
    ClosureWindow(const Problem& whole, ClosureParts parts, const ClosureOptions& options, Random random);
    ClosureWindow(const ClosureWindow&) = delete;
    ClosureWindow& operator=(const ClosureWindow&) = delete;

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    [[nodiscard]] const std::vector<Edge>& kept() const { return parts_.kept; }

    /// The vertex of the graph that a vertex of the window is seen at.
    [[nodiscard]] Vertex whole(Vertex v) const { return seen_at_[index(v)]; }

    /// The kept edges and those of the ways that a tree of the window is made of. Ways may share edges and cross.
    [[nodiscard]] std::vector<Edge> expanded(const Tree& tree) const;

private:
    struct Way {
        std::vector<Vertex> path;  // between the two parts, in either direction; empty: there is none
        double weight = 0;
    };

    /// The three parts nearest to a vertex of the graph.
    struct Meeting {
        std::array<double, 3> far = {Weights::infinity, Weights::infinity, Weights::infinity};
        std::array<int, 3> part = {-1, -1, -1};

        void add(int number, double distance);
    };

    [[nodiscard]] std::vector<int> number_parts();
    void hang_parts(std::vector<int>& place);
    void join_parts(FreeWays& ways, const ClosureOptions& options, Random& random);
    [[nodiscard]] double gain_at(const Meeting& meeting) const;
    void add_junctions(FreeWays& ways, const ClosureOptions& options, Random& random);
    void make_instance();
    [[nodiscard]] TreeSpec coverage() const;
    [[nodiscard]] std::vector<WayLimit> way_limits() const;
    [[nodiscard]] double told_length() const;

    const Problem* whole_;
    ClosureParts parts_;
    std::vector<Vertex> seen_at_;               // (vertices of the window) parts, then junctions
    std::vector<std::vector<Vertex>> members_;  // (parts) their vertices in the graph
    std::vector<Way> ways_;                     // (pairs) by `pair_index`
    std::vector<Meeting> meetings_;             // (n)

    // Where ways from the root are limited: the kept forest, and lengths from where each tree hangs.
    RootedTree hanging_;
    std::vector<double> length_;  // (n)

    Instance instance_;
    std::unique_ptr<const Problem> problem_;
};

}  // namespace neuroprim
