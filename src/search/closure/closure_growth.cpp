#include "search/closure/closure_growth.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/closure/closure_window.hpp"
#include "search/closure/union_tree.hpp"

namespace neuroprim {

namespace {

/// Terminals, prizes or vertices of groups that a window adds to the tree, at most.
constexpr std::size_t growth_window = 40;
constexpr std::size_t growth_junctions = 40;
/// Ways that are limited count as much as weights: those who come later need what is left.
constexpr double growth_way_price = 1;

/// What the tree of these vertices should hold next: what is nearest to it, or farthest where ways are limited.
std::vector<Vertex> next_wanted(const Problem& problem, const std::vector<Vertex>& inside,
                                const std::vector<bool>& was_shown) {
    const TreeSpec& spec = problem.spec();
    std::vector<int> place(index(problem.size()), FreeWays::free);
    std::vector<bool> has_group(static_cast<std::size_t>(spec.group_count()), false);
    for (const Vertex v : inside) {
        place[index(v)] = 0;
        if (spec.group(v) >= 0) has_group[static_cast<std::size_t>(spec.group(v))] = true;
    }
    const bool is_limited = limits_ways(problem);
    std::vector<Vertex> next;
    FreeWays ways(problem.weights(), std::move(place), {}, {});
    ways.search(inside, [&](Vertex v) {
        const bool is_served = spec.coverage == Coverage::groups && spec.group(v) >= 0 &&
                               has_group[static_cast<std::size_t>(spec.group(v))];
        if (is_wanted(problem, v) && !is_served && !was_shown[index(v)]) next.push_back(v);
        return !is_limited && next.size() == growth_window;
    });
    if (is_limited) std::reverse(next.begin(), next.end());
    if (next.size() > growth_window) next.resize(growth_window);
    return next;
}

}  // namespace

std::optional<Tree> grown_in_closures(const Policy& policy, const Problem& problem, const RolloutOptions& options,
                                      Vertex start, int view, const StopToken& stop) {
    std::vector<bool> kept(index(problem.size()));
    for (Vertex v = 0; v < problem.size(); ++v) kept[index(v)] = v == start || is_wanted(problem, v);
    Tree tree{start, {}};
    std::vector<Vertex> inside = {start};
    std::vector<bool> was_shown(index(problem.size()), false);  // prizes beyond the limits are not tried twice
    for (std::uint64_t step = 0;; ++step) {
        ClosureParts parts{tree.edges, {start}};
        const std::vector<Vertex> next = next_wanted(problem, inside, was_shown);
        if (next.empty()) break;
        for (const Vertex v : next) was_shown[index(v)] = true;
        parts.shown.insert(parts.shown.end(), next.begin(), next.end());
        const ClosureWindow window(problem, std::move(parts), {growth_junctions, growth_way_price},
                                   Random(options.seed, step));
        double lightest = Weights::infinity;
        for (const Tree& grown : window_rollouts(policy, window.problem(), options, view, step, stop)) {
            Tree whole = pruned(union_tree(problem, window.expanded(grown), start), kept);
            const double weight = total_weight(whole, problem.weights());
            if (weight >= lightest) continue;
            lightest = weight;
            tree = std::move(whole);
        }
        if (lightest == Weights::infinity) return std::nullopt;
        inside = {start};
        for (const auto& [u, v] : tree.edges) inside.push_back(v);
    }
    tree = problem.pruned(std::move(tree));
    if (problem.violation(tree)) return std::nullopt;
    return tree;
}

}  // namespace neuroprim
