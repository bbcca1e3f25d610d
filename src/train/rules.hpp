#pragma once

#include <string>

#include "neuroprim/problem.hpp"

namespace neuroprim::train {

/// A problem as the trainer needs it: which tree vertices have room, when a tree is finished, what it costs.
/// On complete graphs no construction under these rules ends in a dead end.
struct Rules {
    enum class Cost { total_weight, routing_cost };

    int degree_limit = 0;  ///< most edges at a vertex, at least 2; 0: no limit
    int hop_limit = 0;     ///< most edges between the start and any vertex, at least 1; 0: no limit
    Cost cost = Cost::total_weight;
    bool terminals_only =
        false;               ///< finished when all terminals are in; other leaves are pruned before the cost is taken
    double waste = 0;        ///< share of their weight that pruned edges cost all the same; 1: nothing is pruned
    bool one_start = false;  ///< all trajectories of a graph grow from the same vertex (hops count from a root)

    friend bool operator==(const Rules&, const Rules&) = default;
};

/// The rules of a problem of the registry that random graphs can be drawn for: mst, dcmst, mrcst, stp, hmst.
/// Throws InputError naming what is missing or out of range.
[[nodiscard]] Rules make_rules(const std::string& problem, const ProblemOptions& options);

}  // namespace neuroprim::train
