#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Demands in whole units, so that what a branch of the root carries can be counted by dynamic programming. Where
/// demands are no small whole numbers they are rounded down: a branch that keeps the capacity keeps it in units, too.
struct BranchLoads {
    double capacity = 0;         ///< of a branch, in demand, with what rounding is allowed to add
    std::vector<double> demand;  ///< (n) 0 for the root
    int most = 0;                ///< units that a branch carries at most
    std::vector<int> units;      ///< (n) at least 1 each, 0 for the root
    int total = 0;               ///< units of all vertices
    std::vector<double> price =
        {};                 ///< (most + 1) per unit of weight of an edge with so many units behind it, at least
    bool is_exact = false;  ///< a unit is a unit of demand, so nothing was rounded
};

/// Nothing where branches are not limited, or where the table of the dynamic program would be too large. A branch has
/// 120 units at most, or twice as many for fineness 2, and so on; the finer, the less is lost by rounding.
[[nodiscard]] std::optional<BranchLoads> branch_loads(const Problem& problem, std::int64_t fineness = 1);

}  // namespace neuroprim
