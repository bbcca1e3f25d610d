#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim::sectors {

/// The branches of a rooted tree, parted into sectors: branches that lie near each other.
struct Sectors {
    std::vector<Vertex> vertices;    // (n − 1) all but the root, sector after sector, increasing in each
    std::vector<std::size_t> begin;  // (sectors + 1)
    std::vector<Vertex> sector;      // (n) of each vertex; none of the root
    std::vector<Vertex> place;       // (n) within its sector

    [[nodiscard]] std::size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
    [[nodiscard]] std::span<const Vertex> of(std::size_t k) const {
        return std::span(vertices).subspan(begin[k], begin[k + 1] - begin[k]);
    }
};

/// Parts the branches of the tree with these parents into sectors of up to `size` vertices, or of one branch,
/// elsewhere for every `random`. Branches lie where the mean of their vertices does. O(n + b log² b) for b branches.
[[nodiscard]] Sectors cut_sectors(const Problem& problem, std::span<const Vertex> parent, std::size_t size,
                                  Random random);

}  // namespace neuroprim::sectors
