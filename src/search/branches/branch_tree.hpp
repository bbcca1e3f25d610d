#pragma once

#include <vector>

#include "search/branches/weight_table.hpp"

namespace neuroprim::branches {

/// The shortest tree that spans some vertices and the root. Several edges of it may end at the root.
struct BranchTree {
    std::vector<Vertex> members;  // parents before children
    std::vector<int> above;       // by place: the place of the parent, −1: the root
    std::vector<double> lengths;  // likewise, of the edge to the parent
    double cost = 0;

    /// Spans the members, which change places. Prim's algorithm, O(size²).
    void span(const WeightTable& weights, Vertex root);

    /// What it would cost with one more vertex. O(size).
    ///
    /// From the leaves to the root: of the edge above a vertex and the best edge from its subtree to the new vertex,
    /// the shorter one is in the new tree, and the longer one is a candidate for all that is above (Chin and Houck).
    [[nodiscard]] double cost_with(Vertex v, const WeightTable& weights, Vertex root,
                                   std::vector<double>& candidates) const;
};

}  // namespace neuroprim::branches
