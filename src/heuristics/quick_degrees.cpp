#include "heuristics/quick_degrees.hpp"

#include <algorithm>
#include <vector>

#include "graph/near_edges.hpp"
#include "heuristics/degree_relief.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/mst.hpp"
#include "problems/dcmst.hpp"

namespace neuroprim {

namespace {

/// Empty for problems without degree limits.
std::vector<int> degree_limits_of(const Problem& problem) {
    std::vector<int> limits;
    if (const auto* limited = dynamic_cast<const DegreeConstrainedMst*>(&problem)) {
        for (Vertex v = 0; v < problem.size(); ++v) limits.push_back(limited->limit(v));
    }
    return limits;
}

}  // namespace

std::optional<Tree> hasty_degree_limited_tree(const Problem& problem) {
    const std::vector<int> limits = degree_limits_of(problem);
    if (limits.empty() || problem.weights().points().empty()) return std::nullopt;
    if (*std::min_element(limits.begin(), limits.end()) < 2) return std::nullopt;
    return curve_path(problem.weights());
}

std::optional<Tree> quick_degree_limited_tree(const Problem& problem, int threads) {
    const Weights& weights = problem.weights();
    const std::vector<int> limits = degree_limits_of(problem);
    if (limits.empty()) return std::nullopt;
    if (std::all_of(limits.begin(), limits.end(), [](int limit) { return limit == 2; })) {
        if (!weights.is_complete()) return std::nullopt;
        return greedy_edge_path(weights, threads);
    }
    const Tree lightest = minimum_spanning_tree(weights, threads);
    if (!problem.violation(lightest)) return lightest;
    constexpr std::size_t near_count = 8;
    return relieved(lightest, weights, NearEdges(weights, near_count, threads), limits);
}

}  // namespace neuroprim
