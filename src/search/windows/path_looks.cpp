#include "search/windows/path_looks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "graph/parallel.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "problems/kinds.hpp"
#include "search/augmentation.hpp"
#include "search/windows/large_graphs.hpp"
#include "search/windows/window_trees.hpp"

namespace neuroprim {

namespace {

/// Of each look: the shorter way of two is worth its time.
constexpr int views_of_paths = 2;
/// As many as the policy was trained with, the end among them.
constexpr std::size_t most_in_sight = 101;
/// Of a plan; what lies further ahead is planned anew.
constexpr std::size_t steps_of_plan = 10;

/// The vertices that the path has not come to yet.
class Remainder {
public:
    Remainder(Vertex n, Vertex start) : place_(index(n)) {
        for (Vertex v = 0; v < n; ++v) {
            place_[index(v)] = left_.size();
            left_.push_back(v);
        }
        remove(start);
    }

    void remove(Vertex v) {
        const std::size_t place = place_[index(v)];
        left_[place] = left_.back();
        place_[index(left_[place])] = place;
        left_.pop_back();
    }

    [[nodiscard]] std::size_t size() const { return left_.size(); }

    /// The vertex itself and the nearest others that are left, increasing. O(n).
    [[nodiscard]] std::vector<Vertex> around(Vertex end, const Weights& weights, std::size_t most) const {
        std::vector<std::pair<double, Vertex>> near;
        near.reserve(left_.size());
        for (const Vertex v : left_) near.emplace_back(weights(end, v), v);
        const std::size_t count = std::min(most - 1, near.size());
        std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count - 1), near.end());
        std::vector<Vertex> result = {end};
        for (std::size_t k = 0; k < count; ++k) result.push_back(near[k].second);
        std::sort(result.begin(), result.end());
        return result;
    }

private:
    std::vector<Vertex> left_;
    std::vector<std::size_t> place_;  // (n) in left_, of those that are
};

/// A path that goes on at one end.
class GrowingPath {
public:
    GrowingPath(const Policy& policy, const Problem& problem, Vertex start, int views)
        : policy_(&policy), problem_(&problem), remainder_(problem.size(), start), path_{start}, views_(views) {}

    [[nodiscard]] bool is_complete() const { return remainder_.size() == 0; }

    /// Plans the way ahead and goes its first steps, all of them where it sees all that is left. Throws Interrupted.
    void go_on(const StopToken& stop) {
        const std::vector<Vertex> way = planned(path_.back(), stop);
        const std::size_t steps = way.size() == remainder_.size() ? way.size() : std::min(way.size(), steps_of_plan);
        for (std::size_t k = 0; k < steps; ++k) {
            remainder_.remove(way[k]);
            path_.push_back(way[k]);
        }
    }

    [[nodiscard]] Tree tree() const { return path_in_order(path_); }

private:
    /// The shortest way of all views, without the end itself.
    [[nodiscard]] std::vector<Vertex> planned(Vertex end, const StopToken& stop) {
        const std::vector<Vertex> seen = remainder_.around(end, problem_->weights(), most_in_sight);
        const auto place = static_cast<Vertex>(std::lower_bound(seen.begin(), seen.end(), end) - seen.begin());
        if (seen.size() == 2) return {seen[1 - index(place)]};
        Instance instance;
        instance.weights = induced(problem_->weights(), seen);
        TreeSpec spec;
        spec.degrees.assign(seen.size(), 2);
        spec.degrees[index(place)] = 1;
        const Problem problem(instance, std::move(spec), std::string(problem_->name()));
        WindowLook look;
        look.starts = {{place, 0}};
        look.first_view = looks_;
        look.views = views_;
        Tree best;
        double shortest = std::numeric_limits<double>::infinity();
        offer_window_trees(*policy_, problem, look, stop, [&](Tree tree) {
            const double length = problem.cost(tree);
            if (length >= shortest) return;
            shortest = length;
            best = std::move(tree);
        });
        stop.check();
        ++looks_;
        std::vector<Vertex> way;
        for (const Edge& edge : best.edges) way.push_back(seen[index(edge.v)]);
        return way;
    }

    const Policy* policy_;
    const Problem* problem_;
    Remainder remainder_;
    std::vector<Vertex> path_;
    int views_;
    int looks_ = 0;  // each begins with another symmetry of the square
};

}  // namespace

bool has_path_looks(const Problem& problem) {
    return asks_for_a_path(problem) && problem.weights().is_complete() && !problem.weights().points().empty() &&
           problem.size() > static_cast<Vertex>(most_in_sight);
}

PathLooks::PathLooks(const Policy& policy, const Problem& problem, const SolveOptions& options)
    : policy_(&policy),
      problem_(&problem),
      views_(augmentations_or(options, views_of_paths)),
      threads_(options.threads) {
    if (options.start != no_vertex) {
        starts_ = {options.start};
        return;
    }
    const std::size_t most = options.starts > 0 ? options.starts : usual_starts_of_large_graphs;
    for (const Start& start : window_starts(problem, most)) starts_.push_back(start.vertex);
}

std::optional<Tree> PathLooks::from(Vertex start, const StopToken& stop) const {
    try {
        GrowingPath path(*policy_, *problem_, start, views_);
        while (!path.is_complete()) {
            if (stop.expired()) return std::nullopt;
            path.go_on(stop);
        }
        return path.tree();
    } catch (const Interrupted&) {
        return std::nullopt;
    }
}

Candidate PathLooks::best(const StopToken& stop) const {
    std::vector<std::optional<Tree>> trees(starts_.size());
    parallel_for(threads_, starts_.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) trees[k] = from(starts_[k], stop);
    });
    Candidate result;
    for (std::optional<Tree>& tree : trees) {
        if (!tree) continue;
        const double cost = problem_->cost(*tree);
        if (result.tree.edges.empty() || cost < result.cost) result = {std::move(*tree), cost, "looks"};
    }
    if (result.tree.edges.empty()) throw Interrupted();
    return result;
}

}  // namespace neuroprim
