#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

struct NearEdge {
    Vertex to;
    double weight;
};

/// The lightest edges at every vertex with their weights, lightest first: candidates to enter a tree.
class NearEdges {
public:
    /// Throws Interrupted when the stop token expires before the lists are there.
    NearEdges(const Weights& weights, std::size_t count, int threads = 1, const StopToken& stop = {}) {
        const Neighbours near = nearest_neighbours(weights, count, threads, stop);
        begin_.reserve(index(weights.size()) + 1);
        begin_.push_back(0);
        for (Vertex v = 0; v < weights.size(); ++v) {
            for (const Vertex u : near.of(v)) edges_.push_back({u, weights(v, u)});
            begin_.push_back(edges_.size());
        }
    }

    [[nodiscard]] std::span<const NearEdge> of(Vertex v) const {
        return std::span(edges_).subspan(begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]);
    }

private:
    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<NearEdge> edges_;
};

}  // namespace neuroprim
