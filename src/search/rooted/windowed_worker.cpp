#include "search/rooted/windowed_worker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "search/rooted/window_merge.hpp"

namespace neuroprim::rooted {

namespace {

/// Large enough that few vertices lie at a border; a window and its lists stay in the cache.
constexpr std::size_t window_size = 1500;
/// Passes that descend, before those that anneal.
constexpr int descents = 5;
/// Steps per vertex double from pass to pass, up to two to the power of this.
constexpr int last_doubling = 7;
/// To take a tree over takes as long as pricing it so many times, or less.
constexpr double pricings_per_adoption = 25;
/// The last time that windows are put back may find more to mend than the one before.
constexpr double merges_kept_free = 1.5;

}  // namespace

WindowedWorker::WindowedWorker(const Problem& problem, const Neighbours& near, int threads, Random random)
    : problem_(&problem), near_(&near), threads_(threads), random_(random) {}

void WindowedWorker::adopt(const Tree& tree) {
    const auto began = StopToken::Clock::now();
    adopted_ = tree;
    cost_ = problem_->cost(tree);
    seconds_to_price_ = seconds_since(began);
}

void WindowedWorker::take_over(const Tree& tree) {
    const auto began = StopToken::Clock::now();
    tree_.emplace(snapshot_of(*problem_, tree));
    adopted_.reset();
    passes_ = 0;
    next_ = cells_.count();
    seconds_to_merge_ = seconds_since(began);
}

void WindowedWorker::begin_pass(const StopToken& stop) {
    cells_ = window_cells(*problem_, *tree_, window_size, Random(random_.next(), 0));
    next_ = 0;
    const std::int64_t wished = std::int64_t{1} << std::min(passes_, last_doubling);
    const std::int64_t n = problem_->size();
    steps_per_vertex_ = std::max<std::int64_t>(1, plan_.steps(wished * n, stop) / n);
}

std::int64_t WindowedWorker::run(std::int64_t steps, const StopToken& stop) {
    if (steps <= 0 || stop.expired()) return 0;
    plan_.count(0, stop);
    if (adopted_ && stop.seconds_left() < pricings_per_adoption * seconds_to_price_) return 0;
    if (adopted_) take_over(*adopted_);
    if (next_ == cells_.count()) begin_pass(stop);
    const StopToken early = stop.earlier(merges_kept_free * seconds_to_merge_);
    const std::size_t batch = vertices_side_by_side(index(problem_->size()));
    const std::size_t first = next_;
    const std::vector<WindowEffort> efforts =
        efforts_of_batch(cells_, next_, batch, steps, steps_per_vertex_, passes_ >= descents);
    const std::uint64_t seed = random_.next();
    const WindowSetting setting{problem_, near_, &*tree_, &cells_};
    std::vector<WindowChange> changes(efforts.size());
    parallel_for(threads_, efforts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end && !early.expired(); ++k) {
            const RootedWindow window(setting, static_cast<Vertex>(first + k));
            changes[k] = window.improve(efforts[k], Random(seed, k), early);
        }
    });
    const auto began = StopToken::Clock::now();
    std::int64_t done = 0;
    for (const WindowChange& change : changes) done += change.steps;
    double gained = 0;
    tree_.emplace(merged(*problem_, *tree_, std::move(changes), gained));
    cost_ -= gained;
    seconds_to_merge_ = seconds_since(began);
    plan_.count(done, stop);
    if (next_ == cells_.count()) ++passes_;
    return done;
}

Tree WindowedWorker::tree() const {
    if (adopted_) return *adopted_;
    Tree result{tree_->root, {}};
    result.edges.reserve(tree_->order.size());
    for (std::size_t k = 1; k < tree_->order.size(); ++k) {
        const Vertex v = tree_->order[k];
        result.edges.push_back({tree_->parent[index(v)], v});
    }
    return result;
}

}  // namespace neuroprim::rooted
