#pragma once

#include <set>
#include <span>
#include <vector>

#include "bounds/branch_loads.hpp"
#include "bounds/branch_relaxation.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// A rounded capacity cut: the vertices of a set without the root lie in at least k = ⌈demand ÷ capacity⌉ branches,
/// so the tree has |set| − k edges inside it at most. Its penalty is paid for each edge more.
struct CapacityCut {
    std::vector<Vertex> set;  // increasing
    std::vector<char> holds;  // (n)
    int most_edges = 0;
    double penalty = 0;
    double best_penalty = 0;  // when the bound was best
    double direction = 0;     // of the last steps
    int idle = 0;             // rounds without a penalty
};

/// The cuts in use, and where new ones come from.
class CapacityCuts {
public:
    CapacityCuts(const BranchLoads& loads, Vertex root);

    [[nodiscard]] std::vector<CapacityCut>& cuts() { return cuts_; }
    [[nodiscard]] const std::vector<CapacityCut>& cuts() const { return cuts_; }

    /// Looks for sets that a mean of trees fills with too many edges, by growing from single vertices to where most
    /// edges lead: from as many as some million looks allow, in turn. Drops cuts that have had no penalty for long.
    /// `mean`: (n, n), symmetric.
    void separate(const PaddedTable& mean);

    /// Drops all but so many, those of the highest penalties.
    void keep_dearest(std::size_t count);

private:
    struct Found {
        double excess = 0;
        std::vector<Vertex> set;
    };

    void add(std::vector<Vertex> set);
    [[nodiscard]] int branches(double demand) const;
    [[nodiscard]] Found grown_from(Vertex start, const PaddedTable& mean) const;

    const BranchLoads& loads_;
    Vertex root_;
    Vertex n_;
    Vertex next_start_ = 0;
    std::vector<CapacityCut> cuts_;
    std::set<std::vector<Vertex>> known_;
};

}  // namespace neuroprim
