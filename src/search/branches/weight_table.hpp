#pragma once

#include <cstddef>
#include <vector>

#include "neuroprim/weights.hpp"

namespace neuroprim::branches {

/// The weights of a graph. Up to `most_vertices` they are copied into a plain matrix, which is read several times
/// faster than a graph of any form.
class WeightTable {
public:
    static constexpr Vertex most_vertices = 1000;

    /// The weights must outlive it. O(n²) up to `most_vertices`, O(1) beyond.
    explicit WeightTable(const Weights& weights);

    [[nodiscard]] double operator()(Vertex u, Vertex v) const {
        return rows_.empty() ? (*weights_)(u, v) : rows_[index(u) * size_ + index(v)];
    }

private:
    const Weights* weights_;
    std::size_t size_;
    std::vector<double> rows_;  // (n, n), or empty; the diagonal is not read
};

}  // namespace neuroprim::branches
