#include "search/rooted/windowed_worker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "search/rooted/resource_tree.hpp"
#include "search/rooted/window_merge.hpp"

namespace neuroprim::rooted {

namespace {

/// Large enough that few vertices lie at a border; a window and its lists stay in the cache.
constexpr std::size_t window_size = 1500;
/// Passes that descend, before those that anneal.
constexpr int descents = 5;
/// Steps per vertex double from pass to pass, up to two to the power of this.
constexpr int last_doubling = 7;
/// Windows that are searched side by side hold a part of all vertices, because to put them back is O(n).
constexpr std::size_t batches_of_pass = 4;
constexpr std::size_t least_batch = 64'000;

}  // namespace

WindowedWorker::WindowedWorker(const Problem& problem, const Neighbours& near, int threads, Random random)
    : problem_(&problem), near_(&near), threads_(threads), random_(random) {}

void WindowedWorker::adopt(const Tree& tree) {
    // A rooted tree knows the centre where the diameter is limited.
    ResourceTree rooted(*problem_);
    rooted.load(tree);
    std::vector<Vertex> parent(index(problem_->size()));
    for (Vertex v = 0; v < problem_->size(); ++v) parent[index(v)] = rooted.parent(v);
    tree_.emplace(*problem_, rooted.root(), rooted.twin(), std::move(parent));
    cost_ = rooted.cost();
    passes_ = 0;
    next_ = cells_.count();
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
    if (next_ == cells_.count()) begin_pass(stop);
    const std::size_t batch = std::max(least_batch, index(problem_->size()) / batches_of_pass);
    std::vector<WindowEffort> efforts;
    std::size_t taken = 0;
    const std::size_t first = next_;
    for (; next_ < cells_.count() && taken < batch && steps > 0; ++next_) {
        const auto size = cells_.of(next_).size();
        const std::int64_t share = std::min(steps, static_cast<std::int64_t>(size) * steps_per_vertex_);
        efforts.push_back({share, passes_ >= descents});
        steps -= share;
        taken += size;
    }
    const std::uint64_t seed = random_.next();
    const WindowSetting setting{problem_, near_, &*tree_, &cells_};
    std::vector<WindowChange> changes(efforts.size());
    parallel_for(threads_, efforts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end && !stop.expired(); ++k) {
            const RootedWindow window(setting, static_cast<Vertex>(first + k));
            changes[k] = window.improve(efforts[k], Random(seed, k), stop);
        }
    });
    std::int64_t done = 0;
    for (const WindowChange& change : changes) done += change.steps;
    double gained = 0;
    tree_.emplace(merged(*problem_, *tree_, std::move(changes), gained));
    cost_ -= gained;
    plan_.count(done, stop);
    if (next_ == cells_.count()) ++passes_;
    return done;
}

Tree WindowedWorker::tree() const {
    Tree result{tree_->root, {}};
    result.edges.reserve(tree_->order.size());
    for (std::size_t k = 1; k < tree_->order.size(); ++k) {
        const Vertex v = tree_->order[k];
        result.edges.push_back({tree_->parent[index(v)], v});
    }
    return result;
}

}  // namespace neuroprim::rooted
