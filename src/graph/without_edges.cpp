#include "graph/without_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neuroprim/error.hpp"

namespace neuroprim {

Instance without_edges(const Instance& instance, std::span<const Edge> edges) {
    constexpr Vertex most_points = 10'000;
    const Vertex n = instance.size();
    Instance result = instance;
    if (instance.weights.form() == Weights::Form::sparse) {
        std::vector<std::pair<Vertex, Vertex>> gone;
        for (const auto& [u, v] : edges) gone.emplace_back(std::minmax(u, v));
        std::sort(gone.begin(), gone.end());
        std::vector<WeightedEdge> left = instance.weights.edges();
        std::erase_if(left, [&](const WeightedEdge& edge) {
            return std::binary_search(gone.begin(), gone.end(), std::pair(edge.u, edge.v));
        });
        result.weights = Weights::from_edges(n, std::move(left));
        return result;
    }
    if (n > most_points) {
        throw InputError(
            fmt::format("excluded edges of {} points need their full matrix, which is made for up to {}: "
                        "give the graph by its edges",
                        n, most_points));
    }
    std::vector<double> lower(index(n) * (index(n) - 1) / 2);
    for (Vertex v = 1; v < n; ++v) {
        for (Vertex u = 0; u < v; ++u) lower[pair_index(u, v)] = instance.weights(u, v);
    }
    for (const auto& [u, v] : edges) {
        if (u != v) lower[pair_index(u, v)] = Weights::infinity;
    }
    if (result.layout.empty()) {
        const auto points = instance.positions();
        result.layout.assign(points.begin(), points.end());
    }
    result.weights = Weights::from_lower_triangle(n, lower);
    return result;
}

}  // namespace neuroprim
