#include "search/initial_solutions.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/central_vertices.hpp"
#include "heuristics/quick_degrees.hpp"
#include "heuristics/support.hpp"
#include "heuristics/sweep.hpp"
#include "heuristics/trees_at_hand.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/neural.hpp"
#include "problems/kinds.hpp"
#include "search/levels/level_search.hpp"
#include "search/local_search.hpp"
#include "search/policy_trees.hpp"
#include "search/rooted/one_limit_start.hpp"
#include "search/rooted/path_growth.hpp"
#include "search/rooted/path_lists.hpp"
#include "search/rooted/quick_descent.hpp"
#include "search/routing/quick_star.hpp"
#include "search/sectors/sector_worker.hpp"
#include "search/windows/large_graphs.hpp"
#include "search/windows/path_rebuilding.hpp"
#include "search/windows/window_rebuilding.hpp"
#include "search/windows/windowed_greedy.hpp"

namespace neuroprim {

namespace {

/// The number of pairs of vertices that a construction may look at before a search begins. Preparing the search
/// takes as long.
constexpr double few_pairs = 4e6;

bool has_few_pairs(const Problem& problem) {
    return static_cast<double>(problem.size()) * static_cast<double>(problem.size()) <= few_pairs;
}

/// Nothing where the construction finds no tree, or was made for other instances: another may succeed.
std::optional<Tree> constructed(const Problem& problem, const MethodOptions& options, std::string_view name) {
    try {
        return method_named(name).construct(problem, options);
    } catch (const Infeasible&) {
        return std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Where a tree begins when trying several starts takes longer than the search needs to make up for it: Steiner trees
/// of many terminals, and trees of limited diameter whose centre the search moves.
Vertex hasty_start(const Problem& problem, const SolveOptions& options) {
    if (options.start == no_vertex && suits_levels(problem)) {
        if (const Vertex centre = central_start(problem); centre != no_vertex) return centre;
    }
    constexpr double few_visits = 5e5;
    if (options.start != no_vertex || !is_steiner(problem) || problem.starts().empty()) return options.start;
    const auto terminals = static_cast<double>(required_vertices(problem).size());
    const bool has_many = terminals * static_cast<double>(problem.weights().edge_count()) > few_visits;
    return has_many ? problem.starts().front() : no_vertex;
}

bool try_method(const Problem& problem, const SolveOptions& options, std::string_view name, const StopToken& stop,
                TreePool& pool) {
    try {
        const Vertex start = hasty_start(problem, options);
        auto tree = constructed(problem, {start, options.threads, [&stop] { return stop.expired(); }}, name);
        return tree && pool.offer(std::move(*tree), std::string(name));
    } catch (const Interrupted&) {
        return false;
    }
}

bool try_paths(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool) {
    if (!grows_by_paths(problem)) return false;
    try {
        auto tree = grow_by_paths(problem, options.threads, stop);
        return tree && pool.offer(std::move(*tree), "paths");
    } catch (const Interrupted&) {
        return false;
    }
}

void try_one_limit(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool) {
    if (!begins_with_one_limit(problem)) return;
    try {
        auto found = tree_from_one_limit(problem, options.threads, stop);
        if (found) pool.offer(std::move(found->tree), std::string(found->method));
    } catch (const Interrupted&) {
        // The other trees are there.
    }
}

bool try_sweep(const Problem& problem, const StopToken& stop, TreePool& pool) {
    try {
        auto tree = sweep_tree(problem, stop);
        return tree && pool.offer(std::move(*tree), "sweep");
    } catch (const Interrupted&) {
        return false;
    }
}

/// Has it limits, and vertices on the way that need not be in the tree?
bool wants_paths(const Problem& problem) {
    return rooted::joins_by_paths(problem) && !problem.weights().is_complete() && !is_steiner(problem) &&
           !collects_prizes(problem);
}

/// Too many pairs of vertices to look at each when the time is short.
bool is_vast(const Problem& problem) {
    constexpr Vertex many = 1000;
    return problem.size() > many && problem.weights().is_complete();
}

/// Wide trees of limited diameter are searched in windows, which are long in making up for a poor tree: those for
/// hops alone, around the root or a centre, are far better to begin with. For a million vertices they take minutes,
/// and windows are as far by then.
bool wants_descent(const Problem& problem) {
    constexpr Vertex wide = 10'000;
    constexpr Vertex too_wide = 300'000;
    if (problem.weights().points().empty() || problem.size() < wide || problem.size() > too_wide) return false;
    return limits_diameter(problem) || limits_hops_and_diameter(problem);
}

/// Unless that would leave no time for anything else, by the time that the first tree took.
void try_descent(const Problem& problem, const SolveOptions& options, double seconds_of_first, const StopToken& stop,
                 TreePool& pool) {
    constexpr double times_as_long = 70;
    constexpr double most_of_it = 0.8;
    if (!wants_descent(problem) || times_as_long * seconds_of_first > most_of_it * stop.seconds_left()) return;
    if (problem.spec().hops) return try_one_limit(problem, options, stop, pool);
    SolveOptions from_centre = options;
    if (options.start == no_vertex) from_centre.start = central_start(problem);
    try_method(problem, from_centre, "centre-descent", stop, pool);
}

/// From the best tree that is there.
void descend_quickly(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool) {
    if (!suits_quick_descent(problem) || stop.expired()) return;
    pool.offer(quick_descent(problem, pool[0].tree, options.threads, stop), pool[0].source);
}

/// The constructions that are there first, best first. On large complete graphs they take about n log n.
std::vector<std::string_view> quick_methods(const Problem& problem) {
    // Growing asks for each pair whether it crosses an edge of the tree, which takes too long; these ask at the end.
    if (problem.spec().no_crossings) {
        if (method_named("esau-williams").supports(problem)) return {"esau-williams", "kruskal"};
        return {"kruskal"};
    }
    if (limits_degrees(problem)) return {"degree-prim"};
    if (is_steiner(problem)) return {is_vast(problem) ? "kruskal" : "shortest-path"};
    if (limits_hops(problem)) return {"hop-descent"};
    if (problem.spec().has_only({}) && problem.spec().coverage == Coverage::all) return {"kruskal"};
    if (problem.spec().has_only({}) && problem.spec().coverage == Coverage::groups) return {"group-kruskal"};
    if (is_vast(problem) && !problem.weights().points().empty()) {
        return {"subdivision", default_method(problem).name, "kruskal"};
    }
    return {default_method(problem).name, "kruskal"};
}

/// Even the quick ones take so long then that something should be there before.
bool takes_long(const Problem& problem) {
    constexpr Vertex many = 100'000;
    const bool has_quick_one = is_spanning_tree(problem) || limits_hops(problem);
    return has_quick_one && problem.size() > many && !problem.weights().points().empty();
}

bool offer_tree_at_hand(const Problem& problem, TreePool& pool) {
    std::vector<Tree> trees = trees_at_hand(problem);
    return std::any_of(trees.begin(), trees.end(),
                       [&](Tree& tree) { return pool.offer(std::move(tree), "tree at hand"); });
}

/// Constructions that look at every pair of vertices or more.
std::vector<std::string_view> thorough_methods(const Problem& problem) {
    if (is_routing(problem) || is_communication(problem)) return {"star", "campos"};
    if (is_spanning_tree(problem) || is_steiner(problem) || limits_hops(problem)) return {};
    if (problem.spec().no_crossings) return {};
    // The near edges are there, and the search is ahead of the others before they end.
    if (limits_degrees(problem) && !has_few_pairs(problem) && !problem.weights().points().empty()) return {};
    std::vector<std::string_view> names = {default_method(problem).name};
    // Each of these was made for one limit. Where its tree keeps the others too, it is often the best to begin with.
    const auto add = [&](Limit limit, std::string_view name) {
        const bool suits = problem.spec().has(limit) && method_named(name).supports(problem);
        if (suits && names.front() != name) names.push_back(name);
    };
    add(Limit::capacity, "esau-williams");
    add(Limit::length, "length-blend");
    // Soon done, and much nearer to good trees where the diameter is limited around a root.
    if (problem.spec().root) add(Limit::diameter, "subdivision");
    return names;
}

bool wants_constructions(const SolveOptions& options) {
    return options.initial != Initial::policy;
}

std::optional<std::int64_t> steps_beside_policy(const Problem& problem) {
    const auto steps = local_search_for(problem).steps_beside_policy;
    return steps == nullptr ? std::nullopt : steps(problem);
}

bool wants_policy(const Problem& problem, const SolveOptions& options) {
    if (options.initial == Initial::classical) return false;
    if (!options.model.empty()) return true;
    if (options.initial == Initial::best && !steps_beside_policy(problem)) return false;
    return options.policy || find_model(problem);
}

/// The edge tables hold some numbers for every ordered pair of vertices; beyond this they leave sensible memory.
constexpr Vertex most_policy_vertices = 1500;

}  // namespace

void add_first_tree(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool) {
    const bool routes = is_routing(problem) || is_communication(problem);
    if (routes && problem.weights().is_complete() && pool.offer(quick_star(problem), "star")) return;
    // A star crosses nothing, where a tree that grows may get stuck behind its own edges.
    const bool wants_star =
        (is_vast(problem) && (!limits_hops(problem) || takes_long(problem))) || problem.spec().no_crossings;
    if (const auto starts = problem.starts(); starts.size() == 1 && wants_star) {
        pool.offer(star_around(starts.front(), required_vertices(problem)), "star");
    }
    if (problem.spec().no_crossings && try_sweep(problem, stop, pool)) return;
    auto hasty = hasty_degree_limited_tree(problem);
    if (hasty && pool.offer(std::move(*hasty), "curve")) return;
    if (pool.empty() && is_vast(problem) && !problem.spec().degrees.empty() && !problem.spec().length) {
        if (auto flat = flattest_tree(problem)) pool.offer(std::move(*flat), "flattest tree");
    }
    if (pool.empty() && takes_long(problem)) offer_tree_at_hand(problem, pool);
    // The check of a tree that is there at the last moment takes as long as that of the one before; several times as
    // long as that of a star, which lies in the memory one edge after the other.
    constexpr double stars_per_check = 8;
    const bool is_star = !pool.empty() && (pool[0].source == "star" || pool[0].source == "flattest tree");
    const StopToken early = stop.earlier((is_star ? stars_per_check : 1) * pool.seconds_of_last_check());
    if (!pool.empty() && early.expired()) return;
    if (wants_paths(problem) && try_paths(problem, options, early, pool)) return;
    for (const std::string_view name : quick_methods(problem)) {
        const auto begin = StopToken::Clock::now();
        if (!try_method(problem, options, name, early, pool)) continue;
        if (name != "subdivision") return;
        try_descent(problem, options, seconds_since(begin), early, pool);
        return descend_quickly(problem, options, early, pool);
    }
    for (const Method& method : methods()) {
        if (!pool.empty() || stop.expired()) break;
        if (method.supports(problem)) try_method(problem, options, method.name, stop, pool);
    }
    if (pool.empty() && !wants_paths(problem)) try_paths(problem, options, stop, pool);
    // Few points are divided in no time, and a tree at hand hardly ever keeps several limits.
    if (pool.empty() && stop.expired() && !is_vast(problem)) try_method(problem, options, "subdivision", {}, pool);
    if (!pool.empty() || (stop.expired() && offer_tree_at_hand(problem, pool))) return;
    if (stop.expired()) throw Interrupted();
    throw Infeasible("no feasible tree was found, though there may be one");
}

void add_quick_trees(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool) {
    if (!wants_constructions(options)) return;
    auto tree = quick_degree_limited_tree(problem, options.threads, stop);
    if (tree) pool.offer(std::move(*tree), "near edges");
    if (!has_few_pairs(problem)) return;
    // Merging branches by what their length saves fills them up; cables are dearer the more they carry.
    if (problem.spec().objective == Objective::cables && !stop.expired()) try_sweep(problem, stop, pool);
    for (const std::string_view name : thorough_methods(problem)) {
        if (!stop.expired()) try_method(problem, options, name, stop, pool);
    }
}

void add_fitting_trees(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool) {
    for (const Method& method : methods()) {
        const bool fits = method.made_for != nullptr && method.supports(problem);
        if (fits && !stop.expired()) try_method(problem, options, method.name, stop, pool);
    }
    if (!stop.expired() && !wants_descent(problem)) try_one_limit(problem, options, stop, pool);
}

SlowTrees::SlowTrees(const Problem& problem, const SolveOptions& options) : problem_(&problem), options_(&options) {
    // Sectors are built by such a construction before they are searched, and a descent comes before all others.
    constructions_ = wants_constructions(options) && !has_few_pairs(problem) && !thorough_methods(problem).empty() &&
                     !sectors::works_in_sectors(problem) && !wants_descent(problem);
    if (problem.size() < 2 || !wants_policy(problem, options)) return;
    windows_ = has_windows(problem) && !has_path_windows(problem) && steps_beside_policy(problem) == 0;
    policy_ = windows_ || problem.size() <= most_policy_vertices;
    if (!policy_) return;
    if (options.initial == Initial::best && options.model.empty()) least_steps_ = *steps_beside_policy(problem);
    loaded_ = options.policy;
    if (!loaded_ && !options.model.empty())
        loaded_ = std::make_shared<Policy>(Policy::load(model_file(options.model)));
}

void SlowTrees::grow_by(const Policy& policy, const Stop& stop, const Offer& offer) const {
    EncodeOptions encoding;
    encoding.interrupted = stop;
    encoding.max_memory = options_->max_memory;
    try {
        offer_policy_trees(policy, *problem_, options_->start, encoding,
                           [&](Tree tree) { offer(std::move(tree), "greedy"); });
    } catch (const TooLarge&) {
        // The other constructions are there.
    }
}

void SlowTrees::load() {
    if (policy_ && !loaded_) loaded_ = std::make_shared<Policy>(policy_for(*problem_, *options_));
}

std::optional<std::string> SlowTrees::warning() const {
    if (!loaded_) return std::nullopt;
    return mismatch(*loaded_, *problem_);
}

void SlowTrees::build(const Stop& stop, const Offer& offer) {
    try {
        load();
        // Windows are far sooner done than a tree of more vertices than policies know.
        const bool grows = policy_ && (!windows_ || problem_->size() <= most_trained);
        if (grows) grow_by(*loaded_, stop, offer);
        if (!constructions_) return;
        for (const std::string_view name : thorough_methods(*problem_)) {
            if (stop()) return;
            auto tree = constructed(*problem_, {options_->start, 1, stop}, name);
            if (tree) offer(std::move(*tree), std::string(name));
        }
    } catch (const Interrupted&) {
        // What was complete is handed over.
    }
}

void SlowTrees::rebuild(const Stop& stop, const Offer& offer, const std::function<Tree()>& best) {
    if (!windows_) return;
    constexpr int most_fruitless = 8;
    WindowOptions windows;
    windows.size = index(window_size(*problem_));
    windows.samples = samples_of_windows;
    windows.seed = options_->seed;
    const StopToken token(std::nullopt, stop);
    try {
        load();
        WindowRebuilding rebuilding(*loaded_, *problem_, best(), windows, token);
        for (int fruitless = 0; fruitless < most_fruitless && !stop(); ++fruitless) {
            rebuilding.adopt(best());
            if (rebuilding.pass(token) == 0) continue;
            offer(rebuilding.tree(), "windows");
            fruitless = -1;
        }
    } catch (const Interrupted&) {
        // What it has gained is handed over.
    }
}

}  // namespace neuroprim
