#pragma once

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim::rooted {

/// May the tree leave vertices out that lie on the way to others?
[[nodiscard]] inline bool joins_by_paths(const Problem& problem) {
    const Coverage coverage = problem.spec().coverage;
    return coverage == Coverage::terminals || coverage == Coverage::optional;
}

/// The edges that paths are looked for in: all where some are missing, the lightest ones of a complete graph.
[[nodiscard]] inline Neighbours lists_for_paths(const Problem& problem, int threads, const StopToken& stop) {
    constexpr std::size_t lightest = 14;
    const std::size_t count = problem.weights().is_complete() ? lightest : index(problem.size());
    return nearest_neighbours(problem.weights(), count, threads, stop);
}

}  // namespace neuroprim::rooted
