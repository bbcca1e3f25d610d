#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Neighbours in a tree, as one array: those of v stand at [begin[v], begin[v + 1]). O(n).
class TreeNeighbours {
public:
    TreeNeighbours(const Tree& tree, Vertex n) : begin_(index(n) + 1, 0), neighbour_(2 * tree.edges.size()) {
        for (const auto& [u, v] : tree.edges) {
            ++begin_[index(u) + 1];
            ++begin_[index(v) + 1];
        }
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (const auto& [u, v] : tree.edges) {
            neighbour_[next[index(u)]++] = v;
            neighbour_[next[index(v)]++] = u;
        }
    }

    [[nodiscard]] std::span<const Vertex> of(Vertex v) const {
        return {neighbour_.data() + begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]};
    }

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(begin_.size() - 1); }

private:
    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<Vertex> neighbour_;   // (2·edges)
};

}  // namespace neuroprim
