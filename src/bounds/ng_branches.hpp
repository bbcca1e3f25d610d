#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bounds/branch_loads.hpp"
#include "bounds/padded_table.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// Branches as in `BranchRelaxation`, but fewer vertices come again. Every vertex has a memory, a few other vertices.
/// A subtree at v remembers which of these it holds, unless they were forgotten on the way up, and what is remembered
/// must not come again (ng-relaxation, Baldacci, Mingozzi and Roberti 2011, with trees instead of routes). Memories
/// are empty at first, and learn from solutions.
class NgBranches {
public:
    /// `weights`: (n, n), infinity on the diagonal and where there is no edge. What it is given must outlive it.
    NgBranches(const PaddedTable& weights, Vertex root, const BranchLoads& loads);

    /// The least cost when an edge uv with q units behind it costs weight · price(q) − discount(u, v), and each visit
    /// of v earns `reward[v]`. Infinity when there is none.
    [[nodiscard]] double solve(const PaddedTable& discounts, std::span<const double> reward);

    /// The edges of the last solution, parent first; as often as they are used. Empty when there was none.
    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }

    /// Extends memories such that the last solution is none any more if it holds a vertex twice in a branch, as far
    /// as there is room. Says whether a memory was extended.
    bool learn();

    /// At numbers in tables, by the last solution.
    [[nodiscard]] std::int64_t looks() const { return looks_; }

private:
    /// A vertex in the last solution.
    struct Visit {
        Vertex v;
        int parent;  // −1: the root
        int depth;
    };

    // A state is a vertex with a set of remembered ones: bit k stands for the k-th vertex of its memory.
    [[nodiscard]] std::size_t states() const { return vertex_.size(); }
    [[nodiscard]] std::size_t sets(std::size_t v) const { return first_[v + 1] - first_[v]; }
    [[nodiscard]] double* subtree(std::size_t state) { return &subtree_[state * units_]; }
    [[nodiscard]] double* children(std::size_t q) { return &child_[q * (states() + 1)]; }
    [[nodiscard]] double cost_below(std::size_t from, std::size_t state, std::size_t q,
                                    const PaddedTable& discounts) const;
    [[nodiscard]] std::size_t state_after(std::size_t state, std::size_t v) const;
    [[nodiscard]] bool remembers(Vertex v, Vertex x) const;

    void set_up();
    void drop_dominated(std::size_t v, double* values, std::size_t stride);
    void hang(std::size_t q, const PaddedTable& discounts);
    void add_children(std::size_t q);
    void find_edges(const PaddedTable& discounts);
    std::size_t find_child(std::size_t state, std::size_t q, const PaddedTable& discounts);
    bool learn_pair(int one, int other);

    const PaddedTable& weights_;
    std::size_t n_;
    std::size_t root_;
    const BranchLoads& loads_;
    std::size_t units_;                        // of a branch at most, and one more
    std::vector<std::vector<Vertex>> memory_;  // (n) without the vertex itself
    std::vector<std::size_t> first_;           // (n + 1) the state that remembers nothing
    std::vector<Vertex> vertex_;               // (states)
    std::vector<int> after_;                   // (states, n) the state of v once such a subtree hangs from it
    std::vector<double> subtree_;              // (states, units)
    std::vector<double> child_;  // (units, states + 1) what hangs from v, with the edge to it; last: none
    std::vector<double> total_;  // (total + 1) branches of the root that carry so many units together
    std::vector<double> least_;  // scratch
    std::vector<Visit> visits_;
    std::vector<Edge> edges_;
    std::int64_t looks_ = 0;
};

}  // namespace neuroprim
