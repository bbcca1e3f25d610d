#include "search/neural_effort.hpp"

#include <algorithm>

#include "neuroprim/construction.hpp"

namespace neuroprim {

namespace {

/// The edge tables hold some numbers for every ordered pair of vertices; beyond this they leave sensible memory.
constexpr Vertex largest = 1500;

}  // namespace

bool grows_at_two_ends(const Problem& problem) {
    const std::vector<Vertex> starts = problem.starts();
    if (problem.size() < 4 || starts.empty()) return false;
    Construction state(problem, starts.front());
    for (int child = 0; child < 2; ++child) {
        const auto outside = state.outside();
        const auto next =
            std::find_if(outside.begin(), outside.end(), [&](Vertex v) { return state.allows(state.start(), v); });
        if (next == outside.end()) return true;
        state.add(state.start(), *next);
    }
    return !state.is_open(state.start());
}

std::size_t affordable_starts(const Problem& problem, double seconds) {
    if (problem.size() < 2 || problem.size() > largest) return 0;
    // Measured on two AVX2 cores (docs/results.md): loading, the encoder and its tables, then visits of open edges.
    constexpr double loading = 0.015;
    constexpr double per_pair = 2.5e-7;
    constexpr double per_visit = 6e-9;
    const auto n = static_cast<double>(problem.size());
    const double preparing = loading + per_pair * n * n;
    const double visits = grows_at_two_ends(problem) ? n * n : n * n * n / 6;
    if (preparing >= seconds) return 0;
    const auto starts = static_cast<std::size_t>((seconds - preparing) / (visits * per_visit));
    return std::min(starts, problem.starts().size());
}

}  // namespace neuroprim
