#pragma once

#include <span>
#include <vector>

#include "bounds/branch_loads.hpp"
#include "bounds/padded_table.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// Branches as they carry units, but not as they hold vertices: each is a tree below the root in which vertices may
/// come again (a q-arborescence, Uchoa et al. 2008), and all branches together carry the units of all vertices.
/// Of every tree that keeps the capacity the branches are such ones.
class BranchRelaxation {
public:
    /// `weights`: (n, n), infinity on the diagonal and where there is no edge.
    BranchRelaxation(const PaddedTable& weights, Vertex root, const BranchLoads& loads);

    /// The least cost when an edge uv with q units behind it costs weight · price(q) − discount(u, v), and each visit
    /// of v earns `reward[v]`. O(n² · units + n · units²). Infinity when there is none.
    [[nodiscard]] double solve(const PaddedTable& discounts, std::span<const double> reward);

    /// The edges of the last solution, parent first; as often as they are used. Empty when there was none.
    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }

private:
    void find_edges(const PaddedTable& discounts);

    /// Of an edge with q units behind it, and of what hangs there.
    [[nodiscard]] double cost_below(std::size_t from, std::size_t to, std::size_t q,
                                    const PaddedTable& discounts) const;

    const PaddedTable& weights_;
    std::size_t n_;
    std::size_t root_;
    const BranchLoads& loads_;
    PaddedTable subtree_;        // (units + 1, n) a subtree at v with so many units
    PaddedTable child_;          // (units + 1, n) such a subtree at a child of v, with the edge to it
    std::vector<double> total_;  // (total + 1) branches of the root that carry so many units together
    std::vector<Edge> edges_;
};

}  // namespace neuroprim
