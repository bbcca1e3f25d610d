#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "heuristics/central_vertices.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

bool centre_descent_suits(const Problem& problem) {
    return problem.spec().diameter && problem.spec().coverage == Coverage::all;
}

/// A tree whose every vertex is within D/2 hops of a centre has a diameter of at most D: the best hop-limited tree of
/// several central vertices, or that of the start.
Tree centre_descent(const Problem& problem, const MethodOptions& options) {
    const TreeSpec& spec = problem.spec();
    if (!centre_descent_suits(problem)) {
        throw InputError("centre-descent is for trees over all vertices with a limited diameter");
    }
    if (problem.size() == 2) return {0, {{0, 1}}};
    const StopToken stop = stop_token_of(options);
    const std::size_t most_centres = problem.size() <= 1000 ? 16 : 4;
    const std::vector<Vertex> centres = options.start != no_vertex
                                            ? std::vector{start_of(problem, options)}
                                            : central_vertices(problem.weights(), most_centres);
    std::optional<Tree> best;
    double best_cost = Weights::infinity;
    for (const Vertex centre : centres) {
        if (best && stop.expired()) break;
        TreeSpec around;
        around.root = centre;
        around.hops = std::max(1, *spec.diameter / 2);
        try {
            Tree tree =
                hop_descent(Problem(problem.instance(), around), {no_vertex, options.threads, options.interrupted});
            if (problem.violation(tree)) continue;
            if (const double cost = problem.cost(tree); cost < best_cost) {
                best_cost = cost;
                best = std::move(tree);
            }
        } catch (const Infeasible&) {
            // Not from here.
        }
    }
    if (!best) give_up(problem, "centre-descent found no centre from which the diameter is kept");
    return *best;
}

}  // namespace neuroprim
