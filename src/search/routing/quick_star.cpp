#include "search/routing/quick_star.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "heuristics/support.hpp"

namespace neuroprim {

namespace {

/// Sum of distances to every k-th vertex, so that there are about `count` of them.
double sampled_sum(const Weights& weights, Vertex centre, Vertex count) {
    const Vertex step = std::max<Vertex>(1, weights.size() / count);
    double sum = 0;
    for (Vertex v = step / 2; v < weights.size(); v += step) {
        if (v != centre) sum += weights(centre, v);
    }
    return sum;
}

}  // namespace

Tree quick_star(const Problem& problem) {
    const Weights& weights = problem.weights();
    std::vector<Vertex> centres(index(problem.size()));
    std::iota(centres.begin(), centres.end(), 0);
    std::vector<std::pair<double, Vertex>> ranked;
    // The more vertices a centre is compared by, the fewer centres are left.
    for (const auto& [sample, kept] : {std::pair<Vertex, std::size_t>{16, 500}, {256, 25}, {4096, 1}}) {
        ranked.clear();
        for (const Vertex centre : centres) ranked.emplace_back(sampled_sum(weights, centre, sample), centre);
        const std::size_t count = std::min(kept, ranked.size());
        std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count), ranked.end());
        centres.clear();
        for (std::size_t k = 0; k < count; ++k) centres.push_back(ranked[k].second);
    }
    return star_around(centres.front(), required_vertices(problem));
}

}  // namespace neuroprim
