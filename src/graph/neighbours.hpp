#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// A short list of near vertices for each vertex: where local searches look for their next edge.
class Neighbours {
public:
    Neighbours(std::vector<std::size_t> begin, std::vector<Vertex> vertices)
        : begin_(std::move(begin)), vertices_(std::move(vertices)) {}

    [[nodiscard]] std::span<const Vertex> of(Vertex v) const {
        return std::span(vertices_).subspan(begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]);
    }
    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(begin_.size()) - 1; }

    /// All lists, one after the other.
    [[nodiscard]] std::span<const Vertex> all() const { return vertices_; }

private:
    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<Vertex> vertices_;
};

/// The `count` lightest neighbours of every vertex, lightest first, ties to the smaller vertex; all of them where
/// there are fewer. O(n log n) on points, O(m) otherwise. The result does not depend on `threads`. Throws Interrupted
/// when the stop token expires before the lists are there.
[[nodiscard]] Neighbours nearest_neighbours(const Weights& weights, std::size_t count, int threads = 1,
                                            const StopToken& stop = {});

}  // namespace neuroprim
