#pragma once

#include <string>

#include "neuroprim/problem.hpp"

namespace neuroprim::train {

/// A problem as the trainer needs it: which tree vertices may take another edge, when a tree is finished, what it
/// costs. On complete graphs no construction under these rules ends in a dead end.
struct Rules {
    enum class Cost { total_weight, routing_cost };

    int degree_limit = 0;  ///< most edges at a vertex, at least 2; 0: no limit
    int hop_limit = 0;     ///< most edges between the start and any vertex, at least 1; 0: no limit
    Cost cost = Cost::total_weight;
    /// Finished when all terminals are in; other leaves are pruned before the cost is taken.
    bool terminals_only = false;
    /// Share of their weight that pruned edges cost all the same; 1: nothing is pruned.
    double pruned_edge_penalty = 0;
    /// All trajectories of a graph grow from the same vertex (hops count from a root).
    bool one_start = false;

    friend bool operator==(const Rules&, const Rules&) = default;
};

/// The rules of a problem of the registry that random graphs can be drawn for: mst, dcmst, mrcst, stp, hmst.
/// Throws InputError naming what is missing or out of range.
[[nodiscard]] Rules make_rules(const std::string& problem, const ProblemOptions& options);

}  // namespace neuroprim::train
