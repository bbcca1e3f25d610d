#include "search/rooted/window_merge.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "problems/centred_hops.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim::rooted {

namespace {

/// Vertices below which, or at which, a limit is broken, or which a cycle keeps from the root.
std::vector<char> broken_vertices(const Problem& problem, const TreeSnapshot& tree) {
    const TreeSpec& spec = problem.spec();
    const std::size_t n = tree.parent.size();
    std::vector<char> broken(n, 0);
    if (tree.order.size() < n) {
        std::fill(broken.begin(), broken.end(), 1);
        for (const Vertex v : tree.order) broken[index(v)] = 0;
    }
    std::optional<int> most_hops = spec.hops;
    if (spec.diameter) most_hops = *spec.diameter / 2;
    const double most_length = spec.length.value_or(Weights::infinity) * (1 + sum_tolerance);
    for (auto at = tree.order.rbegin(); at != tree.order.rend(); ++at) {
        const Vertex v = *at;
        const int hops = tree.hops[index(v)] + (v == spec.root ? chain_at_root(spec) : 0);
        if ((most_hops && hops > *most_hops) || tree.way[index(v)] > most_length) broken[index(v)] = 1;
        if (broken[index(v)] && tree.parent[index(v)] != no_vertex) broken[index(tree.parent[index(v)])] = 1;
    }
    return broken;
}

/// Takes moves back that lead away from the root and have something broken below, or crowd their new parent. Says
/// whether there were any.
bool take_back(const Problem& problem, const TreeSnapshot& before, const TreeSnapshot& now,
               std::vector<WindowChange>& changes) {
    const auto& degrees = problem.spec().degrees;
    const std::vector<char> broken = broken_vertices(problem, now);
    std::size_t taken = 0;
    for (WindowChange& change : changes) {
        taken += std::erase_if(change.moves, [&](const WindowChange::Move& move) {
            const auto [v, above] = move;
            if (!degrees.empty() && now.degree(above) > degrees[index(above)]) return true;
            const double length = problem.spec().length ? problem.weights()(above, v) : 0;
            return broken[index(v)] && (before.hops[index(above)] + 1 > before.hops[index(v)] ||
                                        before.way[index(above)] + length > before.way[index(v)]);
        });
    }
    return taken > 0;
}

double gain_of(const WindowChange& change, const Problem& problem, const TreeSnapshot& before) {
    double gain = 0;
    for (const auto& [v, above] : change.moves) {
        gain += problem.weights()(before.parent[index(v)], v) - problem.weights()(above, v);
    }
    return gain;
}

}  // namespace

TreeSnapshot merged(const Problem& problem, const TreeSnapshot& tree, std::vector<WindowChange> changes,
                    double& gained) {
    for (;;) {
        gained = 0;
        std::vector<Vertex> parent = tree.parent;
        for (WindowChange& change : changes) {
            const double gain = gain_of(change, problem, tree);
            if (gain <= 0) change.moves.clear();
            gained += std::max(gain, 0.0);
            for (const auto& [v, above] : change.moves) parent[index(v)] = above;
        }
        TreeSnapshot result(problem, tree.root, tree.twin, std::move(parent));
        if (!take_back(problem, tree, result, changes)) return result;
    }
}

}  // namespace neuroprim::rooted
