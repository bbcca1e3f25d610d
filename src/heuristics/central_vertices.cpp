#include "heuristics/central_vertices.hpp"

#include <algorithm>
#include <utility>

#include "problems/kinds.hpp"

namespace neuroprim {

std::vector<Vertex> central_vertices(const Weights& weights, std::size_t count) {
    constexpr Vertex sample = 64;
    const Vertex step = std::max<Vertex>(1, weights.size() / sample);
    std::vector<std::pair<double, Vertex>> ranked;
    for (Vertex v = 0; v < weights.size(); ++v) {
        double sum = 0;
        for (Vertex u = step / 2; u < weights.size(); u += step) {
            const double w = weights(u, v);
            if (u != v && w < Weights::infinity) sum += w;
        }
        ranked.emplace_back(sum, v);
    }
    count = std::min(count, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count), ranked.end());
    std::vector<Vertex> result;
    for (std::size_t k = 0; k < count; ++k) result.push_back(ranked[k].second);
    return result;
}

Vertex central_start(const Problem& problem) {
    constexpr Vertex few = 200;
    if (!limits_diameter(problem) || problem.size() <= few) return no_vertex;
    return central_vertices(problem.weights(), 1).front();
}

}  // namespace neuroprim
