#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "heuristics/cheapest_growth.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {

namespace {

/// The mean weight of the edges at the start: what a hop is worth.
double weight_of_a_hop(const Problem& problem, Vertex start) {
    double sum = 0;
    double count = 0;
    problem.weights().for_each_neighbour(start, [&](Vertex, double w) {
        sum += w;
        ++count;
    });
    return count > 0 ? sum / count : 1;
}

/// Prim's algorithm where an edge also pays for the depth at which it hangs. Free depth gives the lightest tree and
/// the most dead ends under several limits at once; the dearer depth is, the flatter the tree and the more room is
/// left.
std::optional<Tree> grown_with_depth_priced(const Problem& problem, Vertex start, const StopToken& stop) {
    const double hop = weight_of_a_hop(problem, start);
    std::optional<Tree> best;
    double best_cost = 0;
    int found = 0;
    for (const double price : {0.0, 0.05, 0.2, 0.5, 1.0, 4.0, 1e6}) {
        Construction state(problem, start);
        if (!grow_cheapest(state, stop, price * hop)) continue;
        Tree tree = problem.pruned(state.tree());
        const double cost = problem.cost(tree);
        if (!best || cost < best_cost) {
            best = std::move(tree);
            best_cost = cost;
        }
        constexpr int enough = 2;  // flatter ones only get dearer
        if (++found == enough) break;
    }
    return best;
}

/// Legal edges at random, again and again: where limits leave few ways, luck finds one of them in a small graph.
std::optional<Tree> grown_by_luck(const Problem& problem, const std::vector<Vertex>& starts, const StopToken& stop) {
    constexpr Vertex small = 100;
    constexpr std::uint64_t tries = 200;
    if (problem.size() > small) return std::nullopt;
    std::vector<Edge> legal;
    for (std::uint64_t k = 0; k < tries; ++k) {
        stop.check();
        Random random(1, k);
        Construction state(problem, starts[k % starts.size()]);
        while (!state.may_stop()) {
            legal.clear();
            for (const Vertex u : state.open()) {
                for (const Vertex v : state.outside()) {
                    if (state.allows(u, v)) legal.push_back({u, v});
                }
            }
            if (legal.empty()) break;
            const Edge edge = legal[random.below(legal.size())];
            state.add(edge.u, edge.v);
        }
        if (state.may_stop()) return problem.pruned(state.tree());
    }
    return std::nullopt;
}

}  // namespace

Tree limited_prim(const Problem& problem, const MethodOptions& options) {
    constexpr std::size_t most_starts = 16;
    const StopToken stop = stop_token_of(options);
    std::vector<Vertex> starts = {start_of(problem, options)};
    if (options.start == no_vertex) starts = problem.starts();
    const std::size_t count = std::min(starts.size(), most_starts);
    for (std::size_t k = 0; k < count; ++k) {
        if (auto tree = grown_with_depth_priced(problem, starts[k * starts.size() / count], stop)) return *tree;
    }
    if (auto tree = grown_by_luck(problem, starts, stop)) return *tree;
    give_up(problem, "limited-prim met a dead end, however flat it grew the tree");
}

}  // namespace neuroprim
