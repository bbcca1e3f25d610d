#include "search/closure/closure_trees.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "neuroprim/error.hpp"
#include "search/augmentation.hpp"
#include "search/closure/closure_growth.hpp"
#include "search/closure/closure_rebuilding.hpp"
#include "search/passes.hpp"
#include "search/spare_tree.hpp"

namespace neuroprim {

namespace {

/// Two for each symmetry of the square: the second ones see windows of another size.
constexpr std::int64_t passes_of_greedy = 16;
/// Sizes, prices, symmetries and junctions differ from pass to pass: it takes some to have tried all.
constexpr std::int64_t usual_fruitless_passes = 32;
constexpr std::size_t samples_of_rebuild = 24;

/// The better one of two trees that the policy grows; dead ends are tried elsewhere.
std::optional<Tree> best_grown(const Policy& policy, const Problem& problem, const SolveOptions& options,
                               const RolloutOptions& rollouts, const StopToken& stop) {
    constexpr int most_tries = 8;
    constexpr int enough = 2;
    const std::vector<Vertex> starts =
        options.start == no_vertex ? problem.starts() : std::vector<Vertex>{options.start};
    std::optional<Tree> best;
    try {
        for (int tried = 0, grown = 0; tried < most_tries && grown < enough; ++tried) {
            const Vertex start = starts[static_cast<std::size_t>(tried) * starts.size() / most_tries];
            auto tree = grown_in_closures(policy, problem, rollouts, start, tried, stop);
            if (!tree) continue;
            ++grown;
            if (!best || problem.cost(*tree) < problem.cost(*best)) best = std::move(tree);
        }
    } catch (const Interrupted&) {
    }
    return best;
}

/// The policy's own tree, and that of a construction where it has none.
Candidate first_tree(const Policy& policy, const Problem& problem, const SolveOptions& options,
                     const RolloutOptions& rollouts, const std::optional<Candidate>& spare, const StopToken& stop) {
    if (auto tree = best_grown(policy, problem, options, rollouts, stop)) {
        const double cost = problem.cost(*tree);
        return {std::move(*tree), cost, "greedy"};
    }
    return spare ? *spare : constructed_tree(problem, options, stop);
}

}  // namespace

Candidate solve_in_closures(const Policy& policy, const Problem& problem, const SolveOptions& options,
                            const StopToken& stop) {
    const bool rebuilds = options.method == "rebuild";
    const std::int64_t endless = std::numeric_limits<std::int64_t>::max();
    const std::int64_t most = rebuilds ? options.max_iterations.value_or(endless) : passes_of_greedy;
    const std::int64_t most_fruitless = rebuilds ? options.no_improvement.value_or(usual_fruitless_passes) : most;
    RolloutOptions rollouts;
    rollouts.starts = options.starts;
    rollouts.augmentations = augmentations_or(options, 1);
    rollouts.samples = rebuilds ? samples_of_rebuild : 0;
    rollouts.seed = options.seed;

    const std::optional<Candidate> spare = spare_tree(problem, options, stop);
    Candidate best = first_tree(policy, problem, options, rollouts, spare, stop);
    if (stop.expired()) return cheaper_of(std::move(best), spare);
    ClosureRebuilding rebuilding(policy, problem, std::move(best.tree), rollouts, options.threads);
    repeat_passes(most, most_fruitless, stop, [&](std::int64_t) { return rebuilding.pass(stop) > 0; });
    best.tree = rebuilding.tree();
    best.cost = problem.cost(best.tree);
    best.source = "closures from " + best.source;
    return cheaper_of(std::move(best), spare);
}

}  // namespace neuroprim
