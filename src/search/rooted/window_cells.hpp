#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/rooted/tree_snapshot.hpp"

namespace neuroprim::rooted {

/// All vertices of a tree, each in one cell.
struct WindowCells {
    std::vector<Vertex> vertices;    // (n) cell after cell, increasing in each
    std::vector<std::size_t> begin;  // (cells + 1)
    std::vector<Vertex> cell;        // (n) of each vertex

    [[nodiscard]] std::size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
    [[nodiscard]] std::span<const Vertex> of(std::size_t k) const {
        return std::span(vertices).subspan(begin[k], begin[k + 1] - begin[k]);
    }
};

/// Cuts these vertices into cells of up to `size`, across their longer side, elsewhere each time. O(n log n).
[[nodiscard]] WindowCells cells_in_plane(std::span<const Point> positions, std::vector<Vertex> vertices,
                                         std::size_t size, Random random);

/// Cuts the vertices into cells of about `size`, elsewhere each time: across their longer side where they have
/// positions, otherwise into stretches of the depth-first order. O(n log n).
[[nodiscard]] WindowCells window_cells(const Problem& problem, const TreeSnapshot& tree, std::size_t size,
                                       Random random);

}  // namespace neuroprim::rooted
