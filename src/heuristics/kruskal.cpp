#include <fmt/format.h>

#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

Tree minimum_tree_of(const std::vector<Vertex>& vertices, const Problem& problem, const MethodOptions& options) {
    Tree tree = minimum_spanning_tree(induced(problem.weights(), vertices), options.threads, options.interrupted);
    tree.start = vertices[index(tree.start)];
    for (auto& [u, v] : tree.edges) {
        u = vertices[index(u)];
        v = vertices[index(v)];
    }
    return tree;
}

}  // namespace

Tree kruskal(const Problem& problem, const MethodOptions& options) {
    const Vertex start = start_of(problem, options);
    const std::vector<Vertex> vertices = required_and(problem, start);
    const bool spans_all = vertices.size() == index(problem.size());
    if (spans_all) {
        return grown_from(minimum_spanning_tree(problem.weights(), options.threads, options.interrupted), start,
                          problem.size());
    }
    try {
        return grown_from(minimum_tree_of(vertices, problem, options), start, problem.size());
    } catch (const Interrupted&) {
        throw;
    } catch (const Infeasible&) {
        give_up(problem, fmt::format("kruskal joins the {} required vertices by edges among themselves, and "
                                     "those do not connect them; shortest-path uses other vertices too",
                                     vertices.size()));
    }
}

}  // namespace neuroprim
