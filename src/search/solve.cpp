#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "graph/stop_token.hpp"
#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/optimality.hpp"
#include "neuroprim/solve.hpp"
#include "neuroprim/tree_facts.hpp"
#include "problems/crossings.hpp"
#include "problems/idle_limits.hpp"
#include "search/anytime.hpp"
#include "search/closure/closure_trees.hpp"
#include "search/closure/closure_window.hpp"
#include "search/forest_search.hpp"
#include "search/neural_options.hpp"
#include "search/windows/backbone_looks.hpp"
#include "search/windows/path_looks.hpp"
#include "search/windows/window_rebuilding.hpp"
#include "search/windows/windowed_greedy.hpp"

namespace neuroprim {

namespace {

constexpr std::array neural_methods = {
    MethodInfo{"greedy", "the policy's most probable edge each time, from every start; the best tree", true},
    MethodInfo{"beam", "partial trees judged by what the policy makes of them greedily, from the best start", true},
    MethodInfo{"sample", "edges drawn from the policy, twenty trees per start; the best tree", true},
    MethodInfo{"rebuild", "a greedy tree of the policy, whose windows it grows anew as long as that pays", true},
};

constexpr MethodInfo search_method = {"search",
                                      "constructions, local search and bounds till a stopping rule ends it"};

void check_start(const Problem& problem, Vertex start) {
    const auto starts = problem.starts();
    if (starts.empty()) throw InputError(fmt::format("{} names no vertex to start from", problem.name()));
    if (start == no_vertex) return;
    if (std::find(starts.begin(), starts.end(), start) == starts.end()) {
        const auto& root = problem.spec().root;
        const auto label = [&](Vertex v) { return problem.instance().label(v); };
        throw InputError(fmt::format("{} cannot start at vertex {}{}", problem.name(), label(start),
                                     root ? fmt::format(": trees grow from root {}", label(*root)) : ""));
    }
}

/// A tree that was put together from parts may begin elsewhere than it was asked to.
void take(Candidate answer, const Problem& problem, const SolveOptions& options, Solution& solution) {
    const Vertex start = options.start;
    const bool moves =
        start != no_vertex && start != answer.tree.start && degrees(answer.tree, problem.size())[index(start)] > 0;
    solution.method = options.method;
    solution.tree = moves ? grown_from(answer.tree, start, problem.size()) : std::move(answer.tree);
    solution.found_by = std::move(answer.source);
}

/// By a policy that sees a part of the vertices at a time.
void build_by_parts(const Problem& problem, const SolveOptions& options, const StopToken& stop, Solution& solution) {
    const Policy policy = policy_for(problem, options, window_size(problem));
    if (auto odd = mismatch(policy, problem)) solution.warnings.push_back(std::move(*odd));
    Candidate answer;
    if (has_closure_windows(problem))
        answer = solve_in_closures(policy, problem, options, stop);
    else if (options.method == "rebuild")
        answer = solve_by_rebuilding(policy, problem, options, stop);
    else if (sees_backbones_only(problem, options))
        answer = BackboneLooks(policy, problem, options).best(stop);
    else
        answer = solve_by_windows(policy, problem, options, stop);
    take(std::move(answer), problem, options, solution);
}

/// A path, by a policy that goes on from its end. Is there one?
bool build_from_the_end(const Problem& problem, const SolveOptions& options, const StopToken& stop,
                        Solution& solution) {
    const auto policy = policy_of_path_looks(problem, options);
    if (policy) take(PathLooks(*policy, problem, options).best(stop), problem, options, solution);
    return policy.has_value();
}

void build_neurally(const Problem& problem, const SolveOptions& options, const StopToken& stop, Solution& solution) {
    if (options.method == "greedy" && build_from_the_end(problem, options, stop, solution)) return;
    const bool sees_parts =
        has_closure_windows(problem) || grows_in_windows(problem, options) || sees_backbones_only(problem, options);
    if (options.method == "rebuild" || (options.method == "greedy" && sees_parts)) {
        build_by_parts(problem, options, stop, solution);
        return;
    }
    const Policy policy = policy_for(problem, options);
    if (auto odd = mismatch(policy, problem)) solution.warnings.push_back(std::move(*odd));
    NeuralAnswer answer = solve_neurally(policy, problem, neural_options(options, problem));
    solution.method = options.method;
    solution.tree = std::move(answer.tree);
    solution.statistics = answer.statistics;
}

/// Infinitely far away without a time limit.
StopToken stop_token_from(std::chrono::steady_clock::time_point began, const SolveOptions& options) {
    constexpr double endless = 1e9;  // seconds: more than a clock can count to is no limit
    if (options.time_limit.value_or(endless) >= endless) return {std::nullopt, options.interrupted};
    const std::chrono::duration<double> limit(*options.time_limit);
    return {began + std::chrono::duration_cast<StopToken::Clock::duration>(limit), options.interrupted};
}

void build_classically(const Problem& problem, const SolveOptions& options, const StopToken& stop,
                       Solution& solution) {
    const Method& method = method_named(options.method);
    solution.method = method.name;
    try {
        solution.tree = problem.pruned(
            method.construct(problem, {options.start, options.threads, [&stop] { return stop.expired(); }}));
    } catch (const Interrupted&) {
        if (stop.seconds_left() > 0) {
            throw Interrupted(fmt::format("{} was stopped before the first tree was complete", method.name));
        }
        throw Interrupted(fmt::format("{} did not complete a tree within the time limit of {} s", method.name,
                                      *options.time_limit));
    }
    // The bound is at hand already: finding the same tree a second time would double the work.
    if (method.builds_mst && mst_is_a_bound(problem)) solution.bound = problem.cost(solution.tree);
}

}  // namespace

bool is_neural(std::string_view method) {
    return std::any_of(neural_methods.begin(), neural_methods.end(),
                       [&](const MethodInfo& info) { return info.name == method; });
}

std::vector<MethodInfo> solve_methods() {
    std::vector<MethodInfo> result;
    for (const auto& method : methods()) result.push_back({method.name, method.title});
    result.insert(result.end(), neural_methods.begin(), neural_methods.end());
    result.push_back(search_method);
    return result;
}

namespace {

/// Cables are laid in the plane: who plans them wants to know what crosses.
/// Streets cross each other where they do: what a tree along them crosses says nothing.
bool counts_crossings(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const Instance& instance = problem.instance();
    const bool is_on_streets = instance.map && instance.map->has_streets;
    return problem.is_plain() && !instance.positions().empty() &&
           ((spec.has(Limit::capacity) && !is_on_streets) || spec.no_crossings);
}

/// Searches without the limits that are idle: more searches and bounds are made for the others alone.
bool search(const Problem& problem, const SolveOptions& options, Solution& solution) {
    if (!problem.is_plain()) return search_anytime(problem, options, solution);
    TreeSpec spec = without_idle_limits(problem.spec(), problem.size());
    if (spec == problem.spec()) return search_anytime(problem, options, solution);
    spec.excluded_edges.clear();  // the problem's instance is without them
    const Problem same(problem.instance(), std::move(spec), std::string(problem.name()));
    return search_anytime(same, options, solution);
}

Solution solve_tree(const Problem& problem, const SolveOptions& options) {
    const auto began = std::chrono::steady_clock::now();
    if (const auto reason = problem.infeasibility_certificate()) throw Infeasible(*reason);
    check_start(problem, options.start);

    const StopToken stop = stop_token_from(began, options);
    Solution solution;
    solution.instance = problem.instance().name;
    solution.problem = problem.name();
    solution.spec = std::make_shared<const TreeSpec>(problem.spec());
    if (problem.is_plain() && !is_told_by(problem.name(), problem.spec())) {
        solution.specification = describe(problem.spec(), problem.instance());
    }
    solution.n = problem.size();
    solution.seed = options.seed;
    const bool searches = options.method.empty() || options.method == search_method.name;
    bool checked = false;
    if (searches) {
        solution.method = search_method.name;
        checked = search(problem, options, solution);
    } else if (is_neural(options.method)) {
        build_neurally(problem, options, stop, solution);
    } else {
        build_classically(problem, options, stop, solution);
    }
    if (const auto reason = checked ? std::nullopt : problem.violation(solution.tree)) {
        throw Infeasible(fmt::format("{} found no feasible tree: {}", solution.method, *reason));
    }
    // Where hops are counted from the centre of a bounded diameter, so are those of a tree.
    if (searches && problem.is_plain() && problem.spec().root.value_or(solution.tree.start) != solution.tree.start) {
        solution.tree = grown_from(solution.tree, *problem.spec().root, problem.size());
    }
    // A problem without a root leaves open where its tree starts.
    if (searches && !problem.spec().root && options.start == no_vertex && problem.is_plain()) {
        const Vertex start = vantage_point(problem.instance(), solution.tree);
        if (start != solution.tree.start) solution.tree = grown_from(solution.tree, start, problem.size());
    }
    solution.cost = problem.cost(solution.tree);
    if (!solution.bound && !searches) {
        solution.bound = lower_bound(problem, options.threads, [&stop] { return stop.expired(); });
    }
    if (!solution.bound && solution.cost <= 0 && costs_are_never_negative(problem)) solution.bound = 0;
    solution.bound = bound_beside(solution.cost, solution.bound);
    solution.seconds = seconds_since(began);
    return solution;
}

}  // namespace

Solution solve(const Problem& problem, const SolveOptions& options) {
    Solution solution =
        problem.spec().other_roots.empty() ? solve_tree(problem, options) : solve_forest(problem, options);
    // What is nice to know must not take longer than the search: at a star of a million edges any two may cross.
    constexpr std::size_t most_pairs = 2'000'000;
    if (counts_crossings(problem)) {
        solution.crossings = number_of_crossings(problem.instance(), solution.tree, most_pairs);
    }
    return solution;
}

}  // namespace neuroprim
