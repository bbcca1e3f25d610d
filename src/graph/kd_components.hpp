#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "graph/kd_tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// Which component of a growing forest the points and the boxes of a k-d tree belong to: a box that holds one
/// component only need not be searched for a way out of it.
class KdComponents {
public:
    template <std::size_t Dim>
    explicit KdComponents(const KdTree<Dim>& tree) : of_place_(tree.size()), of_node_(tree.nodes().size()) {}

    /// Looks at the components again. `sets` are of places. O(n).
    template <std::size_t Dim>
    void update(const KdTree<Dim>& tree, DisjointSets& sets) {
        for (std::size_t p = 0; p < tree.size(); ++p) of_place_[p] = sets.find(static_cast<Vertex>(p));
        const auto nodes = tree.nodes();
        for (std::size_t k = nodes.size(); k-- > 0;) {
            const auto& node = nodes[k];
            if (node.right == 0) {
                const Vertex first = of_place_[node.begin];
                const bool uniform = std::all_of(of_place_.begin() + static_cast<std::ptrdiff_t>(node.begin),
                                                 of_place_.begin() + static_cast<std::ptrdiff_t>(node.end),
                                                 [first](Vertex c) { return c == first; });
                of_node_[k] = uniform ? first : mixed;
            } else {
                const Vertex left = of_node_[k + 1];
                of_node_[k] = left == of_node_[node.right] ? left : mixed;
            }
        }
    }

    [[nodiscard]] Vertex of_place(std::size_t place) const { return of_place_[place]; }

    /// None of the components when the box holds several.
    [[nodiscard]] Vertex of_node(std::size_t node) const { return of_node_[node]; }

private:
    static constexpr Vertex mixed = -1;

    std::vector<Vertex> of_place_;
    std::vector<Vertex> of_node_;
};

}  // namespace neuroprim
