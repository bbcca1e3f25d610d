#include "search/windows/windowed_greedy.hpp"

#include <fmt/format.h>

#include <utility>

#include "problems/kinds.hpp"
#include "search/initial_solutions.hpp"
#include "search/windows/routing_backbone.hpp"
#include "search/windows/window_rebuilding.hpp"

namespace neuroprim {

namespace {

constexpr int window_passes = 4;

}  // namespace

Candidate solve_by_windows(const Policy& policy, const Problem& problem, const SolveOptions& options,
                           const StopToken& stop) {
    TreePool pool(problem);
    add_first_tree(problem, options, stop, pool);
    if (!stop.expired()) add_quick_trees(problem, options, stop, pool);
    if (is_routing(problem) && problem.weights().is_complete() && !stop.expired()) {
        if (auto tree = tree_around_backbone(policy, problem, usual_window, options.threads, stop)) {
            pool.offer(std::move(*tree), "backbone");
        }
    }
    Candidate best = pool[0];
    if (stop.expired()) return best;

    WindowOptions windows;
    windows.size = index(usual_window);
    windows.starts = options.starts;
    windows.augmentations = options.augmentations;
    windows.seed = options.seed;
    windows.threads = options.threads;
    try {
        WindowRebuilding rebuilding(policy, problem, best.tree, windows, stop);
        for (int pass = 0; pass < window_passes && !stop.expired(); ++pass) rebuilding.pass(stop);
        best.tree = rebuilding.tree();
    } catch (const Interrupted&) {
        return best;
    }
    best.cost = problem.cost(best.tree);
    best.source = fmt::format("windows from {}", best.source);
    return best;
}

}  // namespace neuroprim
