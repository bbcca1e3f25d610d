#pragma once

#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// What limits are about, for each vertex of a tree, counted from its root, or of a forest from the root of each
/// tree.
struct TreeFacts {
    std::vector<Vertex> roots;     ///< the first one first
    std::vector<Vertex> parent;    ///< (n) `no_vertex` for the root and outside
    std::vector<Vertex> depth;     ///< (n) edges to the root, −1 outside
    std::vector<double> distance;  ///< (n) weight of the way to the root
    std::vector<double> demand;    ///< (n) the specification's; the input's where no limit and no price asks for any
    std::vector<double> load;      ///< (n) demand behind the edge to the parent, that of the vertex included
    std::vector<int> cable;        ///< (n) of that edge, a place in the specification's cables; −1: none

    [[nodiscard]] bool contains(Vertex v) const { return depth[index(v)] >= 0; }
};

/// Where a tree without a root is seen from: the root that the input marks, if it marks one and the tree holds it, or
/// else where the tree starts. O(n).
[[nodiscard]] Vertex vantage_point(const Instance& instance, const Tree& tree);

/// Counted from the specification's roots, or else from the vantage point. Demands of roots are in no load. O(n).
[[nodiscard]] TreeFacts facts_of(const TreeSpec& spec, const Instance& instance, const Tree& tree);

}  // namespace neuroprim
