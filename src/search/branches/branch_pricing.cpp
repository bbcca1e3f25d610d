#include "search/branches/branch_pricing.hpp"

#include "problems/tolerance.hpp"

namespace neuroprim::branches {

namespace {

/// Nearer to zero than this a reduced cost is rounding, in parts of the branch's cost.
constexpr double least_reduction = 1e-9;

}  // namespace

BranchPricing::BranchPricing(const Problem& problem, const WeightTable& weights)
    : spec_(&problem.spec()),
      weights_(&weights),
      size_(problem.size()),
      capacity_(*problem.spec().capacity * (1 + sum_tolerance)),
      is_in_rest_(index(problem.size()), 0) {}

std::size_t BranchPricing::around(std::span<const Vertex> branch, std::span<const double> prices, BranchPool& pool) {
    const Vertex root = *spec_->root;
    std::size_t added = 0;
    for (std::size_t lost = 0; lost <= branch.size(); ++lost) {
        auto& members = rest_.members;
        members.clear();
        double load = 0;
        double worth = 0;
        for (std::size_t k = 0; k < branch.size(); ++k) {
            if (k == lost) continue;
            members.push_back(branch[k]);
            load += spec_->demand(branch[k]);
            worth += prices[index(branch[k])];
        }
        if (members.empty()) continue;
        rest_.span(*weights_, root);
        for (const Vertex v : members) is_in_rest_[index(v)] = 1;
        Vertex won = no_vertex;
        double cost = rest_.cost;
        double reduced = cost - worth;
        for (Vertex v = 0; v < size_; ++v) {
            if (v == root || is_in_rest_[index(v)] || load + spec_->demand(v) > capacity_) continue;
            const double cost_with = rest_.cost_with(v, *weights_, root, candidates_);
            if (const double with = cost_with - worth - prices[index(v)]; with < reduced) {
                won = v;
                cost = cost_with;
                reduced = with;
            }
        }
        for (const Vertex v : members) is_in_rest_[index(v)] = 0;
        if (!(reduced < -least_reduction * cost)) continue;
        if (won != no_vertex) members.push_back(won);
        added += pool.add(members, cost) ? 1 : 0;
    }
    return added;
}

}  // namespace neuroprim::branches
