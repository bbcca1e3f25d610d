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
    std::vector<double> load;      ///< (n) demand behind the edge to the parent, that of the vertex included
    std::vector<int> cable;        ///< (n) of that edge, a place in the specification's cables; −1: none

    [[nodiscard]] bool contains(Vertex v) const { return depth[index(v)] >= 0; }
};

/// Counted from the specification's roots, or else from where the tree starts. Demands of roots are in no load. O(n).
[[nodiscard]] TreeFacts facts_of(const TreeSpec& spec, const Instance& instance, const Tree& tree);

}  // namespace neuroprim
