#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/problem.hpp"
#include "search/sectors/sectors.hpp"

namespace neuroprim::sectors {

/// How many vertices a full branch has on average; infinity where loads are not limited, or nothing is carried.
[[nodiscard]] double vertices_per_branch(const Problem& problem);

/// Do the branches of this problem's trees not depend on each other, up to the degree of the root? Then some of them
/// and the root are a smaller problem of the same kind. Needs positions, which say what is near.
[[nodiscard]] bool has_sectors(const Problem& problem);

/// Some branches of a large tree, taken out as a problem and a tree of their own. Sectors share nothing that may
/// change, so they may be searched at the same time. O(size).
class Sector {
public:
    /// The root keeps its number of branches here, and `spare_branches` more.
    Sector(const Problem& whole, const Neighbours& near, std::span<const Vertex> parent, const Sectors& sectors,
           std::size_t number, int spare_branches);
    Sector(const Sector&) = delete;
    Sector& operator=(const Sector&) = delete;

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    [[nodiscard]] const Neighbours& near() const { return *near_; }
    [[nodiscard]] Vertex root() const { return *problem_->spec().root; }
    [[nodiscard]] std::span<const Vertex> parent() const { return parent_; }  // (size) of the tree that it was
    [[nodiscard]] Tree tree() const;

    /// Mean weight of the edges that do not end at the root. Where that is far away, this is what moves change.
    [[nodiscard]] double mean_inner_weight() const;

    /// What hangs elsewhere in a tree of the sector with these parents: (parent, vertex) of the whole tree. Nothing
    /// for no parents.
    [[nodiscard]] std::vector<Edge> moves_to(std::span<const Vertex> parent) const;

private:
    std::vector<Vertex> vertices_;  // of the whole tree, increasing, the root among them
    std::vector<Vertex> parent_;
    Instance instance_;
    std::unique_ptr<const Problem> problem_;
    std::unique_ptr<const Neighbours> near_;
};

}  // namespace neuroprim::sectors
