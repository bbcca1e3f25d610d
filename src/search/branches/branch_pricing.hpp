#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "search/branches/branch_pool.hpp"
#include "search/branches/branch_tree.hpp"

namespace neuroprim::branches {

/// Looks for branches with a negative reduced cost beside those of a linear program. Vertices have prices; what a
/// branch costs beyond those of its vertices is its reduced cost.
class BranchPricing {
public:
    /// What it is given must outlive it.
    BranchPricing(const Problem& problem, const WeightTable& weights);

    /// A branch loses one vertex or none and wins one or none: for each that it may lose, the best change joins the
    /// pool if its reduced cost is negative. Returns how many were new. O(n · size²).
    std::size_t around(std::span<const Vertex> branch, std::span<const double> prices, BranchPool& pool);

private:
    const TreeSpec* spec_;
    const WeightTable* weights_;
    Vertex size_;
    double capacity_;
    BranchTree rest_;                 // the branch without the vertex that it loses
    std::vector<char> is_in_rest_;    // (n)
    std::vector<double> candidates_;  // scratch
};

}  // namespace neuroprim::branches
