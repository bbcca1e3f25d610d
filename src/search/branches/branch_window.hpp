#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/branches/branch_dives.hpp"
#include "search/branches/weight_table.hpp"

namespace neuroprim::branches {

/// Some branches of a tree by themselves: a small problem of the same kind, in which dives are quick.
class BranchWindow {
public:
    /// The vertices are those of whole branches, whose trees cost `cost` together. Branches of the pool that lie
    /// within the window are known from the begin. Nothing that it is given has to outlive it.
    BranchWindow(const Problem& problem, const WeightTable& weights, const BranchPool& pool,
                 std::span<const Vertex> vertices, double cost, Random random);

    BranchWindow(const BranchWindow&) = delete;
    BranchWindow& operator=(const BranchWindow&) = delete;

    /// Does the next small piece of work, and returns how many steps of the annealing would take as long.
    [[nodiscard]] std::int64_t advance();

    /// Has the last piece found cheaper branches? `parents` has them.
    [[nodiscard]] bool has_improved() const { return has_improved_; }
    [[nodiscard]] const std::vector<Edge>& parents() const { return parents_; }  // (parent, vertex)

    /// Nothing is left to gain, or enough was tried.
    [[nodiscard]] bool is_done() const;

    /// Offers the branches that it knows to the dives of the whole problem.
    void offer_to(BranchDives& dives) const;

private:
    std::vector<Vertex> vertices_;  // (n of the window) the root first
    Instance instance_;
    Problem problem_;
    WeightTable weights_;
    BranchDives dives_;
    double cost_;
    bool has_improved_ = false;
    std::vector<Edge> parents_;
};

}  // namespace neuroprim::branches
