#include <fmt/format.h>

#include <algorithm>

#include "heuristics/bottleneck.hpp"
#include "heuristics/cheapest_growth.hpp"
#include "heuristics/degree_repair.hpp"
#include "heuristics/degree_search.hpp"
#include "heuristics/hamiltonian_path.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/random.hpp"
#include "problems/dcmst.hpp"

namespace neuroprim {

namespace {

/// Trying every spanning tree of so many vertices takes well under a second.
constexpr std::size_t tiny = 8;
constexpr std::uint64_t repair_attempts = 10;
constexpr std::size_t repair_visits = 50'000'000;

Tree path_tree(const std::vector<Vertex>& path) {
    Tree tree{path.front(), {}};
    for (std::size_t k = 1; k < path.size(); ++k) tree.edges.push_back({path[k - 1], path[k]});
    return tree;
}

/// The vertices of a tree that is a path, from end to end.
std::vector<Vertex> vertices_along(const Tree& path, Vertex n) {
    const std::vector<int> degree = degrees(path, n);
    Vertex end = path.start;
    for (const auto& edge : path.edges) {
        if (degree[index(edge.v)] == 1) end = edge.v;
    }
    return hang(path, end, n).order;
}

/// The weights, shaken so that the next attempt starts from another tree.
std::vector<WeightedEdge> shaken(std::vector<WeightedEdge> edges, std::uint64_t seed) {
    Random random(seed);
    for (auto& edge : edges) edge.weight *= 0.5 + random.uniform();
    return edges;
}

std::optional<Tree> repaired(const DegreeConstrainedMst& problem, const Tree& stuck) {
    std::vector<int> limits;
    for (Vertex v = 0; v < problem.size(); ++v) limits.push_back(problem.limit(v));
    const std::vector<WeightedEdge> edges = problem.weights().edges();
    if (const auto found = find_bottleneck(edges, limits)) {
        throw Infeasible(
            fmt::format("no tree keeps the degree limits: vertex {} alone holds {} parts of the graph "
                        "together, and its limit is {}",
                        found->vertex, found->parts, problem.limit(found->vertex)));
    }
    if (std::all_of(limits.begin(), limits.end(), [](int limit) { return limit == 2; })) {
        const auto path = hamiltonian_path(problem.weights(), vertices_along(stuck, problem.size()));
        if (path) return path_tree(*path);
    }
    std::size_t visits_left = repair_visits;
    for (std::uint64_t attempt = 0; attempt < repair_attempts && visits_left > 0; ++attempt) {
        const Tree tree = attempt == 0 ? completed(stuck, edges, limits)
                                       : completed({stuck.start, {}}, shaken(edges, attempt), limits);
        if (auto result = repair_degrees(tree, edges, limits, attempt, visits_left)) return result;
    }
    if (limits.size() > tiny) return std::nullopt;
    auto tree = search_degree_limited_tree(edges, limits);
    if (!tree) throw Infeasible("no tree keeps the degree limits: all spanning trees were tried");
    return tree;
}

}  // namespace

Tree degree_prim(const Problem& problem, const MethodOptions& options) {
    const Vertex start = start_of(problem, options);
    Construction state(problem, start);
    if (grow_cheapest(state)) return state.tree();

    const auto* limited = dynamic_cast<const DegreeConstrainedMst*>(&problem);
    if (limited == nullptr || problem.obstacle()) {
        give_up(problem, fmt::format("degree-prim is stuck at {} vertices with {} still to join", state.size(),
                                     state.required_outside()));
    }
    const std::optional<Tree> tree = repaired(*limited, state.tree());
    if (!tree) give_up(problem, "degree-prim found no tree that keeps the degree limits; there may still be one");
    return grown_from(*tree, start, problem.size());
}

}  // namespace neuroprim
