#pragma once

#include <algorithm>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// A limit on hops from a root, H, beside one on the diameter, D, is one on the diameter of a longer tree: with a
/// chain of D − H edges at the root no two vertices may be more than D edges apart. (The chain's end is D − H edges
/// farther from every vertex than the root is.) So many edges has the chain; 0 without both limits, and where the
/// hops allow no less than the diameter does.
///
/// So hops may be counted from the centre of that tree alone. The centre is a vertex of the tree itself where
/// 2 H ≥ D; with fewer hops the limit on the diameter is idle.
[[nodiscard]] inline int chain_at_root(const TreeSpec& spec) {
    return spec.hops && spec.diameter ? std::max(0, *spec.diameter - *spec.hops) : 0;
}

/// Does a tree keep the limit on the diameter, and one on hops from a root beside it, by hops from its centre alone?
/// Not where lengths or loads are counted from a root, which may be far from there.
[[nodiscard]] bool counts_hops_from_centre(const TreeSpec& spec);

/// The centre of a tree, with its chain, that keeps such limits: the middle of a longest path, one vertex or two with
/// the edge between them. Of two ends the first one is as good alone where the limit on the diameter is even. Where
/// the middle lies in the chain it is the root. O(n).
[[nodiscard]] std::vector<Vertex> centre_of(const Tree& tree, Vertex n, const TreeSpec& spec);

}  // namespace neuroprim
