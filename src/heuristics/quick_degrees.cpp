#include "heuristics/quick_degrees.hpp"

#include <algorithm>
#include <vector>

#include "graph/near_edges.hpp"
#include "heuristics/degree_relief.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "problems/kinds.hpp"

namespace neuroprim {

std::optional<Tree> hasty_degree_limited_tree(const Problem& problem) {
    if (!limits_degrees(problem) || problem.weights().points().empty()) return std::nullopt;
    if (std::ranges::min(problem.spec().degrees) < 2) return std::nullopt;
    return curve_path(problem.weights());
}

namespace {

std::optional<Tree> tree_from_near_edges(const Problem& problem, int threads, const StopToken& stop) {
    const Weights& weights = problem.weights();
    if (asks_for_a_path(problem)) {
        if (!weights.is_complete()) return std::nullopt;
        constexpr Vertex many = 100'000;  // more are searched a stretch at a time
        const bool vast = weights.size() > many && !weights.points().empty();
        return vast ? greedy_cell_path(weights, threads, stop) : greedy_edge_path(weights, threads, stop);
    }
    const Tree lightest = minimum_spanning_tree(weights, threads, [&] { return stop.expired(); });
    if (!problem.violation(lightest)) return lightest;
    constexpr std::size_t near_count = 8;
    return relieved(lightest, weights, NearEdges(weights, near_count, threads, stop), problem.spec().degrees, stop);
}

}  // namespace

std::optional<Tree> quick_degree_limited_tree(const Problem& problem, int threads, const StopToken& stop) {
    if (!limits_degrees(problem)) return std::nullopt;
    try {
        return tree_from_near_edges(problem, threads, stop);
    } catch (const Interrupted&) {
        return std::nullopt;
    }
}

}  // namespace neuroprim
