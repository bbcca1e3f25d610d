#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "bounds/sliced_work.hpp"
#include "bounds/subset_rules.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// The best tree of any specification by dynamic programming over sets of vertices.
///
/// A state is a subtree: its top vertex, the set of its vertices and, where limits ask for it, its height, its reach
/// (the height by weight) and the number of the top's children. Of the states with the same top and set only those
/// stay that no other one is better than in all of these numbers. Subtrees hang from vertices that they do not hold,
/// and a subtree takes such a hanging one as one more child; children come in the order of their lowest vertices, so
/// that each tree is built once. At last subtrees are hung from the root, or vertices left out, until all are decided
/// about. Without a root each vertex in turn is a centroid: then no subtree has more than half of the vertices.
///
/// A state goes when its cost and what the rest costs at least are no better than the best tree known.
class SubsetProgram {
public:
    explicit SubsetProgram(SubsetRules rules);

    /// Some more steps of the work. False when it is done, or has been given up for lack of memory. Looks for trees
    /// that cost less than `cutoff`, which may fall from call to call.
    bool advance(double cutoff, std::int64_t looks);

    /// Done, and not given up: no tree costs less than the best one or the last cutoff.
    [[nodiscard]] bool is_complete() const { return complete_; }
    [[nodiscard]] double cost() const { return best_cost_; }
    [[nodiscard]] std::optional<Tree> tree() const { return best_tree_; }

    /// For measurements.
    [[nodiscard]] std::size_t states() const { return states_.size() + hanging_.size(); }

private:
    struct State {
        double cost = 0;
        double reach = 0;        // the longest way down, by weight
        std::int32_t rest = -1;  // the same subtree without its last child; −1: the top alone
        std::int32_t last = -1;  // the last child's subtree
        std::uint8_t height = 0;
        std::uint8_t children = 0;
        std::uint8_t top = 0;
    };

    /// States with one set, and one top or one vertex that they hang from.
    struct Front {
        VertexSet set;
        std::int32_t first;
        std::int32_t count;
    };
    using Fronts = std::vector<std::vector<Front>>;  // by size of the set

    /// States in the making.
    struct Draft {
        State state;
        std::int32_t next;
    };

    SlicedWork work();
    void draft(VertexSet set, const State& state);
    void flush(int size, std::vector<State>& states, Fronts& fronts);
    [[nodiscard]] Front flush_one(VertexSet set, std::vector<State>& states) const;
    void join(int top, const Front& rest, const Front& hanging, bool at_root);
    void hang(int from, const Front& front);
    void skip(int vertex, const Front& front, int root);
    void remember(int root, const Front& front);
    void add_edges(std::int32_t state, std::vector<Edge>& edges) const;
    [[nodiscard]] bool is_full() const;
    [[nodiscard]] bool prefers_pairs(int top, int size) const;
    void scatter(int top, int size);
    void gather(int top, int size);

    SubsetRules rules_;
    double cutoff_ = std::numeric_limits<double>::infinity();
    std::int64_t looks_ = 0;
    bool complete_ = false;
    double best_cost_ = std::numeric_limits<double>::infinity();
    std::optional<Tree> best_tree_;

    std::vector<State> states_;   // of subtrees by themselves
    std::vector<State> hanging_;  // with the edge to the vertex that they hang from; `last` tells which subtree it is
    std::vector<Fronts> trees_;   // (tops)
    std::vector<Fronts> hangers_;  // (vertices that subtrees hang from)

    std::vector<std::int32_t> head_;  // (sets) first draft
    std::vector<Draft> drafts_;
    std::vector<std::vector<VertexSet>> drafted_;  // by size
    std::vector<State> roots_;                     // of trees at the root in hand
    std::vector<std::int32_t> tree_at_;            // (sets) front of the top in hand, by size; −1: none
    std::vector<std::int32_t> hanger_at_;          // (sets) the same of what hangs from it

    SlicedWork work_;
};

}  // namespace neuroprim
