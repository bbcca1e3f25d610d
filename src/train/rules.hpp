#pragma once

#include <string>

#include "neuroprim/problem.hpp"

namespace neuroprim::train {

/// A specification as the trainer needs it, with the limits that all graphs of a batch share: which tree vertices
/// have room, which pairs may join, when a tree is grown, what it costs. What differs from graph to graph (root,
/// demands, prizes, groups, how long the longest way is) stands in `Graphs`.
struct Rules {
    enum class Cost { total_weight, routing_cost };

    int degree_limit = 0;       ///< most edges at a vertex, at least 2; 0: no limit
    int hop_limit = 0;          ///< most edges between the start and any vertex, at least 1; 0: no limit
    int diameter_limit = 0;     ///< most edges between any two vertices, at least 2; 0: no limit
    double capacity = 0;        ///< most demand in a branch of the start; 0: no limit
    double length_percent = 0;  ///< longest way from the start, in percent of the longest straight one; 0: no limit
    Cost cost = Cost::total_weight;
    Coverage coverage = Coverage::all;
    double pruned_edge_penalty = 0;  ///< share of their weight that pruned edges cost; 1: nothing is pruned
    bool one_start = false;          ///< all trajectories of a graph grow from the same vertex, its root
    bool leaf_start = false;         ///< the start has one edge: under a degree limit of 2 it is an end of the path

    /// Edges that the start counts as having before the first.
    [[nodiscard]] int start_degree() const { return leaf_start && degree_limit > 0 ? degree_limit - 1 : 0; }

    /// Finished when all terminals are in; other leaves are pruned before the cost is taken.
    [[nodiscard]] bool terminals_only() const { return coverage == Coverage::terminals; }

    /// Is an edge's legality more than that of its row and the column's being outside?
    [[nodiscard]] bool has_pair_rule() const {
        return capacity > 0 || length_percent > 0 || coverage == Coverage::groups;
    }

    /// No more than what the kernels of the outer product know: degree and hop limits, all vertices or terminals.
    [[nodiscard]] bool is_simple() const {
        return !has_pair_rule() && diameter_limit == 0 && coverage != Coverage::optional;
    }

    /// Can a construction on a complete graph end in a dead end?
    [[nodiscard]] bool may_end_early() const { return !is_simple() || (degree_limit > 0 && hop_limit > 0); }

    friend bool operator==(const Rules&, const Rules&) = default;
};

/// Can random graphs be drawn for it, and trees be grown and priced in batches? (One degree limit for all vertices,
/// no edges that are given, priced by length or by routing cost.)
[[nodiscard]] bool supports(const TreeSpec& spec);

/// The rules of a specification that is supported; a limit of length stands as it is, in units of weight.
[[nodiscard]] Rules rules_of(const TreeSpec& spec);

/// The rules of a preset with these limits; `options.length` is in percent. Throws InputError naming what is missing,
/// out of range or beyond the trainer.
[[nodiscard]] Rules make_rules(const std::string& preset, const ProblemOptions& options);

/// The same for trees whose start has one edge; all trees of a graph have the same start then.
[[nodiscard]] Rules from_a_leaf(Rules rules);

/// Room that limits leave beyond what a tree needs, as a share of it.
inline constexpr double usual_spare = 0.3;

/// The same with limits widened, one by one, until graphs of n vertices with this mean demand can be expected to have
/// a tree: few vertices reach far under a degree and a hop limit, few branches leave a root of small degree. `spare`
/// is the room that these branches have together beyond their demand.
[[nodiscard]] Rules feasible(Rules rules, std::int64_t n, double mean_demand, double spare = usual_spare);

}  // namespace neuroprim::train
