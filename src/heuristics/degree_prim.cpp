#include <fmt/format.h>

#include <algorithm>

#include "heuristics/cheapest_growth.hpp"
#include "heuristics/degree_repair.hpp"
#include "heuristics/degree_search.hpp"
#include "heuristics/hamiltonian_path.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/quick_paths.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "problems/kinds.hpp"

namespace neuroprim {

namespace {

/// Trying every spanning tree of so many vertices takes well under a second.
constexpr std::size_t tiny = 8;
constexpr std::uint64_t repair_attempts = 10;
constexpr std::size_t repair_visits = 20'000'000;

std::optional<Tree> repaired(const Problem& problem, const Tree& stuck, const StopToken& stop) {
    const std::span<const int> limits = problem.spec().degrees;
    const std::vector<WeightedEdge> edges = problem.weights().edges();
    if (asks_for_a_path(problem)) {
        const auto path = hamiltonian_path(problem.weights(), vertices_along(stuck, problem.size()), stop);
        if (path) return path_in_order(*path);
    }
    const Tree tree = completed(stuck, edges, limits);
    std::size_t visits_left = repair_visits;
    for (std::uint64_t attempt = 0; attempt < repair_attempts; ++attempt) {
        const bool first = attempt == 0;
        const RepairOptions options{first, (first ? 20 : 100) * limits.size() + 1000, attempt};
        if (auto result = repair_degrees(tree, edges, limits, options, visits_left, stop)) return result;
    }
    if (limits.size() > tiny) return std::nullopt;
    auto found = search_degree_limited_tree(edges, limits);
    if (!found) throw Infeasible("no tree keeps the degree limits: all spanning trees were tried");
    return found;
}

}  // namespace

Tree degree_prim(const Problem& problem, const MethodOptions& options) {
    const Vertex start = start_of(problem, options);
    const StopToken stop = stop_token_of(options);
    Construction state(problem, start);
    if (grow_cheapest(state, stop)) return state.tree();

    if (!limits_degrees(problem) || problem.infeasibility_certificate()) {
        give_up(problem, fmt::format("degree-prim is stuck at {} vertices with {} still to join", state.size(),
                                     state.required_outside()));
    }
    const std::optional<Tree> tree = repaired(problem, state.tree(), stop);
    if (!tree) give_up(problem, "degree-prim found no tree that keeps the degree limits; there may still be one");
    return grown_from(*tree, start, problem.size());
}

}  // namespace neuroprim
