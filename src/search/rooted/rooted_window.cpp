#include "search/rooted/rooted_window.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "neuroprim/mst.hpp"
#include "problems/centred_hops.hpp"
#include "problems/tolerance.hpp"
#include "search/rooted/rooted_worker.hpp"

namespace neuroprim::rooted {

namespace {

/// As far up as ruin and recreate looks for parents.
constexpr int ancestors_taken = 6;

}  // namespace

bool has_rooted_windows(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return ResourceTree::supports(problem) && spec.objective == Objective::length && spec.coverage == Coverage::all &&
           !spec.has(Limit::capacity) && !spec.no_crossings && (spec.hops || spec.length || spec.diameter) &&
           (!spec.diameter || ResourceTree::has_centre(spec));
}

RootedWindow::RootedWindow(const WindowSetting& setting, Vertex number) : setting_(&setting), number_(number) {
    gather_vertices();
    contract();
    describe();

    std::vector<std::size_t> begin;
    std::vector<Vertex> lists;
    begin.reserve(vertices_.size() + 1);
    for (const Vertex v : vertices_) {
        begin.push_back(lists.size());
        if (!is_inner(v)) continue;
        for (const Vertex u : setting_->near->of(v)) lists.push_back(local(u));
    }
    begin.push_back(lists.size());
    near_ = std::make_unique<Neighbours>(std::move(begin), std::move(lists));
}

void RootedWindow::gather_vertices() {
    const TreeSnapshot& tree = *setting_->tree;
    const auto inner = setting_->cells->of(index(number_));
    vertices_.assign(inner.begin(), inner.end());
    const auto climb = [&](Vertex u) {
        // What lies above an inner vertex is left to that one.
        for (int k = 0; k <= ancestors_taken && u != no_vertex && !is_inner(u); ++k, u = tree.parent[index(u)]) {
            vertices_.push_back(u);
        }
    };
    for (const Vertex v : inner) {
        climb(tree.parent[index(v)]);
        for (const Vertex u : setting_->near->of(v)) climb(u);
    }
    vertices_.push_back(tree.root);
    std::sort(vertices_.begin(), vertices_.end());
    vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
}

Vertex RootedWindow::local(Vertex v) const {
    const auto found = std::lower_bound(vertices_.begin(), vertices_.end(), v);
    return found != vertices_.end() && *found == v ? static_cast<Vertex>(found - vertices_.begin()) : no_vertex;
}

/// Each vertex hangs from the nearest one above that was taken, found by depth-first places.
void RootedWindow::contract() {
    const Problem& whole = *setting_->problem;
    const TreeSnapshot& tree = *setting_->tree;
    const auto by_place = [&](Vertex a, Vertex b) { return tree.place[index(a)] < tree.place[index(b)]; };
    const std::size_t size = vertices_.size();
    std::vector<Vertex> order(size);
    for (std::size_t k = 0; k < size; ++k) order[k] = static_cast<Vertex>(k);
    std::sort(order.begin(), order.end(),
              [&](Vertex a, Vertex b) { return by_place(vertices_[index(a)], vertices_[index(b)]); });
    parent_.assign(size, no_vertex);
    std::vector<Vertex> above;
    for (const Vertex k : order) {
        const Vertex v = vertices_[index(k)];
        while (!above.empty() && !tree.is_below(v, vertices_[index(above.back())])) above.pop_back();
        if (!above.empty()) parent_[index(k)] = above.back();
        above.push_back(k);
    }

    contraction_.is_fixed.assign(size, 0);
    contraction_.hops.assign(size, 1);
    contraction_.length.assign(size, 0);
    contraction_.height.assign(size, 0);
    contraction_.reach.assign(size, 0);
    const TreeSpec& spec = whole.spec();
    const int most_hops = spec.diameter ? *spec.diameter / 2 : spec.hops.value_or(0);
    const double most_length = spec.length.value_or(0) * (1 + sum_tolerance);
    for (std::size_t k = 0; k < size; ++k) {
        const Vertex v = vertices_[k];
        if (parent_[k] == no_vertex) continue;
        const Vertex u = vertices_[index(parent_[k])];
        const bool is_fixed = !is_inner(v) || v == tree.twin || whole.is_included(u, v);
        contraction_.is_fixed[k] = is_fixed ? 1 : 0;
        contraction_.hops[k] = tree.hops[index(v)] - tree.hops[index(u)];
        contraction_.length[k] = tree.way[index(v)] - tree.way[index(u)];
        if (is_inner(v)) seeds_.push_back(static_cast<Vertex>(k));
        if (v == spec.root) contraction_.height[k] = chain_at_root(spec);
        const auto below = tree.children(v);
        const bool holds_others = !is_inner(v) || std::any_of(below.begin(), below.end(), [&](Vertex child) {
            return local(child) == no_vertex;
        });
        if (!holds_others) continue;
        if (most_hops > 0) contraction_.height[k] = most_hops - tree.hops[index(v)];
        if (spec.length) contraction_.reach[k] = std::max(0.0, most_length - tree.way[index(v)]);
    }
}

void RootedWindow::describe() {
    const Problem& whole = *setting_->problem;
    const TreeSnapshot& tree = *setting_->tree;
    const TreeSpec& all = whole.spec();
    const std::size_t size = vertices_.size();
    TreeSpec spec;
    spec.root = local(tree.root);
    spec.hops = all.hops;
    if (all.diameter) spec.hops = *all.diameter / 2;
    spec.length = all.length;
    if (!all.degrees.empty()) {
        std::vector<int> degree(size, 0);
        for (std::size_t k = 0; k < size; ++k) {
            if (parent_[k] == no_vertex) continue;
            ++degree[k];
            ++degree[index(parent_[k])];
        }
        for (std::size_t k = 0; k < size; ++k) {
            const Vertex v = vertices_[k];
            const int left = is_inner(v) ? all.degrees[index(v)] - tree.degree(v) : 0;
            spec.degrees.push_back(std::max(1, degree[k] + left));
        }
    }
    instance_.weights = induced(whole.weights(), vertices_);
    problem_ = std::make_unique<Problem>(instance_, std::move(spec), std::string(whole.name()));
}

WindowChange RootedWindow::improve(const WindowEffort& effort, Random random, const StopToken& stop) const {
    WindowChange result;
    if (seeds_.size() < 2) return result;
    RootedWorker worker(*problem_, *near_, contraction_, seeds_, random);
    worker.adopt(*problem_->spec().root, parent_, effort);
    const double before = worker.cost();
    result.steps = worker.run(effort.steps, stop);
    result.gain = before - worker.cost();
    if (result.gain <= rounding * before) return {{}, 0, result.steps};
    for (const Vertex v : seeds_) {
        const Vertex parent = worker.parent(v);
        if (parent != parent_[index(v)]) result.moves.push_back({vertices_[index(v)], vertices_[index(parent)]});
    }
    return result;
}

}  // namespace neuroprim::rooted
