#include "search/windows/path_rebuilding.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/parallel.hpp"
#include "graph/shuffle.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/random.hpp"
#include "problems/kinds.hpp"
#include "search/windows/path_edges.hpp"

namespace neuroprim {

namespace {

/// Vertices around a place: small windows are soon done, large ones find what they miss.
constexpr std::size_t least_around = 20;
constexpr std::size_t most_around = 50;
/// Of one path, before it is put together again: the more there are, the more of them cannot be kept together.
constexpr std::size_t windows_at_once = 32;

std::vector<Vertex> shuffled_vertices(Vertex n, Random& random) {
    std::vector<Vertex> result(index(n));
    std::iota(result.begin(), result.end(), 0);
    shuffle(result, random);
    return result;
}

}  // namespace

struct PathRebuilding::Change {
    double gain = 0;
    std::vector<Edge> removed;
    std::vector<Edge> added;
};

bool has_path_windows(const Problem& problem) {
    return asks_for_a_path(problem) && problem.weights().is_complete();
}

PathRebuilding::PathRebuilding(const Policy& policy, const Problem& problem, const Tree& tree,
                               const WindowOptions& options, const StopToken& stop)
    : policy_(&policy),
      problem_(&problem),
      options_(options),
      path_(hang(tree, end_of_path(tree, problem.size()), problem.size()).order),
      near_(nearest_neighbours(problem.weights(), most_around - 1, options.threads, stop)) {}

Tree PathRebuilding::tree() const {
    return path_in_order(path_.order);
}

double PathRebuilding::pass(const StopToken& stop) {
    Random random(options_.seed, static_cast<std::uint64_t>(passes_));
    std::vector<bool> is_rebuilt(path_.order.size(), false);  // in this pass
    std::vector<bool> is_taken(path_.order.size(), false);    // by a window of the group
    std::deque<PathWindow> group;
    double gain = 0;
    const auto rebuild_group = [&] {
        for (const PathWindow& window : group) {
            for (const Vertex v : window.vertices()) is_taken[index(v)] = false;
        }
        gain += rebuild(group, stop);
        group.clear();
    };
    for (const Vertex centre : shuffled_vertices(problem_->size(), random)) {
        if (stop.expired()) break;
        if (is_rebuilt[index(centre)]) continue;
        const std::size_t others = least_around - 1 + random.below(most_around - least_around + 1);
        const auto near = near_.of(centre);
        std::vector<Vertex> around = {centre};
        around.insert(around.end(), near.begin(),
                      near.begin() + static_cast<std::ptrdiff_t>(std::min(others, near.size())));
        const std::vector<Vertex> members = path_.with_neighbours(around);
        if (std::any_of(members.begin(), members.end(), [&](Vertex v) { return is_taken[index(v)]; })) continue;
        for (const Vertex v : around) is_rebuilt[index(v)] = true;
        for (const Vertex v : members) is_taken[index(v)] = true;
        group.emplace_back(*problem_, path_, members);
        if (group.size() == windows_at_once) rebuild_group();
    }
    rebuild_group();
    ++passes_;
    return gain;
}

double PathRebuilding::rebuild(const std::deque<PathWindow>& group, const StopToken& stop) {
    std::vector<Change> changes(group.size());
    parallel_for(options_.threads, group.size(), 1, [&](std::size_t begin, std::size_t end) {
        try {
            for (std::size_t k = begin; k < end; ++k) changes[k] = rebuilt(group[k], windows_ + k, stop);
        } catch (const Interrupted&) {
        }
    });
    windows_ += group.size();
    std::erase_if(changes, [](const Change& change) { return change.gain <= 0; });
    return changes.empty() ? 0 : keep(std::move(changes));
}

PathRebuilding::Change PathRebuilding::rebuilt(const PathWindow& window, std::uint64_t stream,
                                               const StopToken& stop) const {
    const Problem& problem = window.problem();
    const double before = problem.cost(window.tree());
    double shortest = before * (1 - 1e-9);
    Tree best;
    WindowLook look = look_of_pass(options_, passes_, stream);
    look.starts = window_starts(problem, options_.starts > 0 ? options_.starts : index(problem.size()));
    offer_window_trees(*policy_, problem, look, stop, [&](Tree tree) {
        const double length = problem.cost(tree);
        if (length >= shortest) return;
        shortest = length;
        best = std::move(tree);
    });
    if (best.edges.empty()) return {};
    return {before - shortest, window.edges_of(window.tree()), window.edges_of(best)};
}

/// Each change holds together what lies outside its window. Two of them may close a cycle all the same; then the one
/// that gains least of those on cycles is taken back.
double PathRebuilding::keep(std::vector<Change> changes) {
    PathEdges edges(path_.order);
    for (const Change& change : changes) edges.replace(change.removed, change.added);
    std::vector<Vertex> order = edges.order();
    while (order.size() < path_.order.size()) {
        std::vector<bool> is_on_cycle(path_.order.size(), true);
        for (const Vertex v : order) is_on_cycle[index(v)] = false;
        const auto touches_cycle = [&](const Change& change) {
            return std::any_of(change.added.begin(), change.added.end(),
                               [&](const Edge& edge) { return is_on_cycle[index(edge.u)]; });
        };
        const auto others = std::partition(changes.begin(), changes.end(), touches_cycle);
        const auto least = std::min_element(changes.begin(), others,
                                            [](const Change& a, const Change& b) { return a.gain < b.gain; });
        edges.replace(least->added, least->removed);
        changes.erase(least);
        order = edges.order();
    }
    path_ = PlacedPath(std::move(order));
    return std::accumulate(changes.begin(), changes.end(), 0.0,
                           [](double sum, const Change& change) { return sum + change.gain; });
}

}  // namespace neuroprim
