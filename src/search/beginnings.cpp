#include "search/beginnings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "heuristics/quick_degrees.hpp"
#include "heuristics/support.hpp"
#include "heuristics/trees_at_hand.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/neural.hpp"
#include "search/neural_effort.hpp"
#include "search/routing/quick_star.hpp"

namespace neuroprim {

namespace {

/// Part of the time limit that constructions may take, by estimate.
constexpr double share_of_time = 0.15;
/// What stands for the limit when there is none: the choice must not depend on the clock.
constexpr double usual_seconds = 2;

double time_for_constructions(const SolveOptions& options) {
    return share_of_time * options.time_limit.value_or(usual_seconds);
}

/// Roughly n² evaluations of a distance.
double seconds_for_all_pairs(const Problem& problem) {
    constexpr double per_pair = 4e-9;
    return per_pair * static_cast<double>(problem.size()) * static_cast<double>(problem.size());
}

/// Near neighbours and a minimum spanning tree of them.
double seconds_for_near_pairs(const Problem& problem) {
    constexpr double per_point = 1e-5;
    if (problem.weights().form() == Weights::Form::matrix) return seconds_for_all_pairs(problem);
    return per_point * static_cast<double>(problem.size());
}

bool try_method(const Problem& problem, const SolveOptions& options, std::string_view name, const Watch& watch,
                TreePool& pool) {
    try {
        const MethodOptions method{options.start, options.threads, [&watch] { return watch.expired(); }};
        return pool.offer(method_named(name).construct(problem, method), std::string(name));
    } catch (const Infeasible&) {
        return false;  // another construction may succeed
    } catch (const InputError&) {
        return false;  // made for other instances
    }
}

/// Too many pairs of vertices to look at each when the time is short.
bool is_vast(const Problem& problem) {
    constexpr Vertex many = 1000;
    return problem.size() > many && problem.weights().is_complete();
}

/// The constructions that are there first, best first. On large complete graphs they take about n log n.
std::vector<std::string_view> quick_methods(const Problem& problem) {
    const bool vast = is_vast(problem);
    const std::string_view name = problem.name();
    if (name == "dcmst") return {"degree-prim"};
    if (name == "stp" && !vast) return {"shortest-path"};
    if (name == "hmst") return {"hop-descent"};
    return {"kruskal"};
}

/// Even the quick ones take so long then that something should be there before.
bool takes_long(const Problem& problem) {
    constexpr Vertex many = 100'000;
    return problem.name() == "mst" && problem.size() > many && !problem.weights().points().empty();
}

bool offer_tree_at_hand(const Problem& problem, TreePool& pool) {
    std::vector<Tree> trees = trees_at_hand(problem);
    return std::any_of(trees.begin(), trees.end(),
                       [&](Tree& tree) { return pool.offer(std::move(tree), "tree at hand"); });
}

/// Constructions that look at every pair of vertices or more.
std::vector<std::string_view> thorough_methods(const Problem& problem) {
    const std::string_view name = problem.name();
    if (name == "mrcst" || name == "ocst") return {"star", "campos"};
    if (name == "mst" || name == "stp" || name == "hmst") return {};
    return {default_method(problem).name};
}

/// What measurements say (docs/results.md): where a neural beginning makes the answer better at equal time.
bool neural_trees_help(const Problem& problem) {
    return problem.name() == "mrcst" || (problem.name() == "dcmst" && grows_at_two_ends(problem));
}

bool wants_neural_trees(const Problem& problem, const SolveOptions& options) {
    if (options.beginnings == Beginnings::classical) return false;
    return options.beginnings != Beginnings::best || !options.model.empty() || neural_trees_help(problem);
}

void add_neural_trees(const Problem& problem, const SolveOptions& options, const Watch& watch, TreePool& pool) {
    if (!options.policy && options.model.empty() && !find_model(problem)) return;
    const std::size_t starts = affordable_starts(problem, time_for_constructions(options));
    if (starts == 0) return;
    constexpr std::size_t kept = 15;
    NeuralOptions neural;
    neural.start = options.start;
    neural.starts = starts;
    neural.seed = options.seed;
    neural.threads = options.threads;
    neural.keep = kept;
    neural.interrupted = [&watch] { return watch.expired(); };
    try {
        NeuralAnswer answer = solve_neurally(policy_for(problem, options), problem, neural);
        pool.offer(std::move(answer.tree), "greedy");
        for (Tree& tree : answer.others) pool.offer(std::move(tree), "greedy");
    } catch (const Infeasible&) {
        // Every trajectory met a dead end: the other constructions are there.
    }
}

}  // namespace

void add_first_tree(const Problem& problem, const SolveOptions& options, const Watch& watch, TreePool& pool) {
    const bool routes = problem.name() == "mrcst" || problem.name() == "ocst";
    if (routes && problem.weights().is_complete() && pool.offer(quick_star(problem), "star")) return;
    if (const auto starts = problem.starts(); starts.size() == 1 && is_vast(problem) && problem.name() != "hmst") {
        if (pool.offer(star_around(starts.front(), required_vertices(problem)), "star")) return;
    }
    auto hasty = hasty_degree_limited_tree(problem);
    if (hasty && pool.offer(std::move(*hasty), "curve")) return;
    if (takes_long(problem)) offer_tree_at_hand(problem, pool);
    for (const std::string_view name : quick_methods(problem)) {
        if (try_method(problem, options, name, watch, pool)) return;
    }
    for (const Method& method : methods()) {
        if (!pool.empty() || watch.expired()) break;
        try_method(problem, options, method.name, watch, pool);
    }
    if (!pool.empty() || (watch.expired() && offer_tree_at_hand(problem, pool))) return;
    if (watch.expired()) throw Stopped();
    throw Infeasible("no construction found a feasible tree");
}

void add_better_trees(const Problem& problem, const SolveOptions& options, const Watch& watch, TreePool& pool) {
    const bool neural = wants_neural_trees(problem, options);
    if (options.beginnings != Beginnings::neural &&
        seconds_for_near_pairs(problem) < time_for_constructions(options)) {
        auto tree = quick_degree_limited_tree(problem, options.threads, watch);
        if (tree) pool.offer(std::move(*tree), "near edges");
    }
    if (options.beginnings != Beginnings::neural &&
        seconds_for_all_pairs(problem) < time_for_constructions(options)) {
        for (const std::string_view name : thorough_methods(problem)) {
            if (!watch.expired()) try_method(problem, options, name, watch, pool);
        }
    }
    if (neural && !watch.expired()) add_neural_trees(problem, options, watch, pool);
}

}  // namespace neuroprim
