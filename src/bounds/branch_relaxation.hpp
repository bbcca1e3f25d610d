#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bounds/branch_loads.hpp"
#include "bounds/padded_table.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// Branches as they carry units, but not as they hold vertices: each is a tree below the root in which vertices may
/// come again (a q-arborescence, Uchoa et al. 2008), and all branches together carry the units of all vertices.
/// Of every tree that keeps the capacity the branches are such ones. Where hops are limited, no branch is higher than
/// they allow.
class BranchRelaxation {
public:
    /// `weights`: (n, n), infinity on the diagonal and where there is no edge. `hops`: from the root.
    BranchRelaxation(const PaddedTable& weights, Vertex root, const BranchLoads& loads,
                     std::optional<int> hops = std::nullopt);

    /// The least cost when an edge uv with q units behind it costs weight · price(q) − discount(u, v), and each visit
    /// of v earns `reward[v]`. O((n² · units + n · units²) · levels). Infinity when there is none.
    [[nodiscard]] double solve(const PaddedTable& discounts, std::span<const double> reward);

    /// Heights of subtrees that are told apart.
    [[nodiscard]] int levels() const { return static_cast<int>(levels_.size()); }

    /// The edges of the last solution, parent first; as often as they are used. Empty when there was none.
    [[nodiscard]] std::span<const Edge> edges() const { return edges_; }

private:
    /// Subtrees up to one height; without a limit all are of one level.
    struct Level {
        PaddedTable subtree;  // (units + 1, n) at v with so many units
        PaddedTable child;    // (units + 1, n) such a subtree at a child of v, with the edge to it
    };

    void fill(Level& level, const Level& below, const PaddedTable& discounts, std::span<const double> reward);
    void find_edges(const PaddedTable& discounts);

    /// Of an edge with q units behind it, and of what hangs there.
    [[nodiscard]] double cost_below(std::size_t from, std::size_t to, std::size_t q, const Level& level,
                                    const PaddedTable& discounts) const;

    /// Where children of a level's subtrees are.
    [[nodiscard]] std::size_t below(std::size_t level) const { return is_limited_ ? level - 1 : level; }

    const PaddedTable& weights_;
    std::size_t n_;
    std::size_t root_;
    const BranchLoads& loads_;
    bool is_limited_;            // in height
    std::vector<Level> levels_;  // by height, from single vertices on
    std::vector<double> total_;  // (total + 1) branches of the root that carry so many units together
    std::vector<Edge> edges_;
};

}  // namespace neuroprim
