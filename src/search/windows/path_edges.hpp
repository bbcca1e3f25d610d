#pragma once

#include <array>
#include <span>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// The edges of a path, while some of them are replaced: then they may also form a shorter path and cycles.
class PathEdges {
public:
    /// `order` is the path.
    explicit PathEdges(std::span<const Vertex> order);

    /// The same vertices must have as many edges before and after, but for two where an end moves.
    void replace(std::span<const Edge> removed, std::span<const Edge> added);

    /// The vertices from one end to the other, without those on cycles. O(n).
    [[nodiscard]] std::vector<Vertex> order() const;

private:
    using Pair = std::array<Vertex, 2>;

    static void exchange(Pair& pair, Vertex before, Vertex after);

    std::vector<Pair> beside_;  // (n) `no_vertex` for none
};

}  // namespace neuroprim
