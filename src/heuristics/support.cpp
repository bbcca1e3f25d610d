#include "heuristics/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "neuroprim/error.hpp"

namespace neuroprim {

Vertex start_of(const Problem& problem, const MethodOptions& options) {
    const std::vector<Vertex> starts = problem.starts();
    if (starts.empty()) throw InputError("there is no vertex to start from");
    if (options.start == no_vertex) return starts.front();
    if (options.start < 0 || options.start >= problem.size()) {
        throw InputError(fmt::format("start vertex {} is not among the {} vertices", options.start, problem.size()));
    }
    if (std::find(starts.begin(), starts.end(), options.start) == starts.end()) {
        throw InputError(fmt::format("{} cannot start at vertex {}", problem.name(), options.start));
    }
    return options.start;
}

unsigned rows_between_looks(const Weights& weights) {
    constexpr std::size_t edges_between_looks = 10'000;
    const std::size_t edges_of_all = 2 * weights.edge_count() + 1;
    return static_cast<unsigned>(edges_between_looks * index(weights.size()) / edges_of_all) + 1;
}

std::vector<Vertex> required_vertices(const Problem& problem) {
    std::vector<Vertex> result;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (problem.required(v)) result.push_back(v);
    }
    if (result.empty()) {
        result.resize(index(problem.size()));
        std::iota(result.begin(), result.end(), 0);
    }
    return result;
}

std::vector<Vertex> required_and(const Problem& problem, Vertex start) {
    std::vector<Vertex> result = required_vertices(problem);
    const auto place = std::lower_bound(result.begin(), result.end(), start);
    if (place == result.end() || *place != start) result.insert(place, start);
    return result;
}

Tree star_around(Vertex centre, const std::vector<Vertex>& vertices) {
    Tree tree{centre, {}};
    tree.edges.reserve(vertices.size());
    for (const Vertex v : vertices) {
        if (v != centre) tree.edges.push_back({centre, v});
    }
    return tree;
}

void give_up(const Problem& problem, const std::string& message) {
    throw Infeasible(problem.infeasibility_certificate().value_or(message));
}

Tree grown_from_allowed_start(const Problem& problem, Tree tree) {
    const std::vector<Vertex> starts = problem.starts();
    if (starts.empty() || std::find(starts.begin(), starts.end(), tree.start) != starts.end()) return tree;
    return grown_from(tree, starts.front(), problem.size());
}

}  // namespace neuroprim
