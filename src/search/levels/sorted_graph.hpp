#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "graph/parallel.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"
#include "search/levels/level_link.hpp"

namespace neuroprim::levels {

/// A complete graph with all edges of each vertex, lightest first. O(n²) memory. Many workers read it.
class SortedGraph {
public:
    /// Throws Interrupted when the stop token expires before it is sorted.
    explicit SortedGraph(const Weights& weights, int threads = 1, const StopToken& stop = {})
        : weights_(&weights), links_(index(weights.size()) * index(weights.size() - 1)) {
        parallel_for(threads, index(size()), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                stop.check();
                sort_links(static_cast<Vertex>(k));
            }
        });
    }

    [[nodiscard]] Vertex size() const { return weights_->size(); }
    [[nodiscard]] const Weights& weights() const { return *weights_; }
    [[nodiscard]] Vertex name(Vertex v) const { return v; }
    [[nodiscard]] Vertex number(Vertex v) const { return v; }

    [[nodiscard]] std::span<const LevelLink> links(Vertex v) const {
        return std::span(links_).subspan(index(v) * index(size() - 1), index(size() - 1));
    }

private:
    void sort_links(Vertex v) {
        const auto links = std::span(links_).subspan(index(v) * index(size() - 1), index(size() - 1));
        for (Vertex u = 0; u < size(); ++u) {
            if (u != v) links[index(u < v ? u : u - 1)] = {u, (*weights_)(u, v)};
        }
        std::sort(links.begin(), links.end(), [](const LevelLink& a, const LevelLink& b) {
            return a.weight != b.weight ? a.weight < b.weight : a.to < b.to;
        });
    }

    const Weights* weights_;
    std::vector<LevelLink> links_;  // (n, n − 1)
};

}  // namespace neuroprim::levels
