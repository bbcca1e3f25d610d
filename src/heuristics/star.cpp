#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/parallel.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "problems/kinds.hpp"

namespace neuroprim {

namespace {

/// What a star pays for an edge to each vertex, up to a factor: the number of pairs it serves.
/// In a star the edge to v carries exactly the traffic of v, so no tree has to be priced in full.
std::vector<double> traffic(const Problem& problem, const StopToken& stop) {
    const auto n = index(problem.size());
    if (problem.spec().objective != Objective::communication) return std::vector<double>(n, 1);
    std::vector<double> result(n, 0);
    PacedStopToken paced(stop, rows_between_looks(problem.weights()));
    for (Vertex u = 0; u < problem.size(); ++u) {
        paced.check();
        for (Vertex v = 0; v < u; ++v) {
            const double requirement = problem.instance().requirements[pair_index(u, v)];
            result[index(u)] += requirement;
            result[index(v)] += requirement;
        }
    }
    return result;
}

/// For each vertex the cost of the star around it, up to a common factor; infinity when it lacks an edge.
std::vector<double> star_costs(const Problem& problem, const std::vector<Vertex>& required, int threads,
                               const StopToken& stop) {
    const bool known_form = problem.cost_is_total_weight() || is_routing(problem) || is_communication(problem);
    const std::vector<double> share = traffic(problem, stop);
    std::vector<double> costs(index(problem.size()));
    parallel_for(threads, costs.size(), 64, [&](std::size_t begin, std::size_t end) {
        PacedStopToken paced(stop, rows_between_looks(problem.weights()));
        for (std::size_t k = begin; k < end; ++k) {
            paced.check();
            const auto centre = static_cast<Vertex>(k);
            double cost = 0;
            std::size_t served = problem.required(centre) ? 1 : 0;
            problem.weights().for_each_neighbour(centre, [&](Vertex v, double w) {
                if (!problem.required(v)) return;
                ++served;
                cost += w * share[index(v)];
            });
            costs[k] = served < required.size() ? Weights::infinity
                       : known_form             ? cost
                                                : problem.cost(star_around(centre, required));
        }
    });
    return costs;
}

}  // namespace

Tree star(const Problem& problem, const MethodOptions& options) {
    const std::vector<Vertex> required = required_vertices(problem);
    std::vector<Vertex> centres(index(problem.size()));
    std::iota(centres.begin(), centres.end(), 0);
    if (options.start != no_vertex) centres = {start_of(problem, options)};

    const StopToken stop = stop_token_of(options);
    const std::vector<double> costs = star_costs(problem, required, options.threads, stop);
    std::stable_sort(centres.begin(), centres.end(),
                     [&](Vertex a, Vertex b) { return costs[index(a)] < costs[index(b)]; });
    std::optional<std::string> broken;
    for (const Vertex centre : centres) {
        stop.check();
        if (costs[index(centre)] == Weights::infinity) break;
        Tree tree = grown_from_allowed_start(problem, star_around(centre, required));
        auto reason = problem.violation(tree);
        if (!reason) return tree;
        if (!broken) broken = std::move(reason);
    }
    if (broken) give_up(problem, fmt::format("no star keeps the rules: {}", *broken));
    give_up(problem, "there is no star: no vertex has an edge to all required others");
}

}  // namespace neuroprim
