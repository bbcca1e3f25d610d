#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// A connected part of a rooted tree. Every tree edge is in one window, and every vertex but the roots is a member of
/// one; the top is a member of the window above, or a root.
struct TreeWindow {
    Vertex top = no_vertex;
    std::vector<Vertex> members;    ///< without the top; parents come before children
    int level = 0;                  ///< windows between it and the root: no two of a level lie above each other
    bool has_spare_degree = false;  ///< may use what the degree limit leaves its top: one of those at a root, where
                                    ///< no window above has the top as a member
};

/// How a tree is cut.
struct WindowCut {
    std::size_t most = 100;   ///< vertices of a window, its top among them
    std::size_t usual = 100;  ///< a window is closed once it would have more; at most `most`. Others cut elsewhere.
    double turn = 0;          ///< 0 to 1: where in the order of its children a hub's first window begins
    std::span<const Vertex> rank;  ///< (n) neighbours in space have near ranks; children are taken in this order
};

/// Cuts the tree into windows, from the leaves upwards. Several windows hang from one top where that has many
/// children. O(n).
[[nodiscard]] std::vector<TreeWindow> tree_windows(const RootedTree& tree, const WindowCut& cut);

}  // namespace neuroprim
