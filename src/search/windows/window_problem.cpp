#include "search/windows/window_problem.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "neuroprim/mst.hpp"
#include "problems/centred_hops.hpp"
#include "problems/kinds.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

/// What hangs from each vertex of a window by edges that are not in it.
struct Hanging {
    std::vector<int> height;    // (n) hops down to the deepest
    std::vector<double> reach;  // (n) length down to the farthest
};

/// The window's specification and one rule more: what hangs from a vertex must keep the limits too.
class HangingProblem final : public Problem {
public:
    HangingProblem(const Instance& instance, TreeSpec spec, std::string name, Hanging hanging)
        : Problem(instance, std::move(spec), std::move(name)), hanging_(std::move(hanging)) {}

    [[nodiscard]] bool joins(const Construction& state, Vertex u, Vertex v) const override {
        const TreeSpec& limits = spec();
        if (limits.hops && state.depth(u) + 1 + hanging_.height[index(v)] > *limits.hops) return false;
        if (limits.length &&
            state.length(u) + weights()(u, v) + hanging_.reach[index(v)] > *limits.length * (1 + sum_tolerance)) {
            return false;
        }
        return Problem::joins(state, u, v);
    }

    [[nodiscard]] bool has_pair_rule() const override { return true; }

private:
    Hanging hanging_;
};

/// By the limit on hops, and by that on the diameter: half of it around where the tree hangs.
std::optional<int> most_hops(const TreeSpec& spec) {
    if (!spec.diameter) return spec.hops;
    return std::min(spec.hops.value_or(*spec.diameter), *spec.diameter / 2);
}

std::vector<Vertex> roots_of(const Problem& problem, const Tree& tree) {
    const TreeSpec& spec = problem.spec();
    if (counts_hops_from_centre(spec)) {
        const std::vector<Vertex> centre = centre_of(tree, problem.size(), spec);
        // An even limit has hops to spare around an edge: half of it, from either end.
        return *spec.diameter % 2 == 0 ? std::vector<Vertex>{centre.front()} : centre;
    }
    if (spec.root) return {*spec.root};
    return {asks_for_a_path(problem) ? end_of_path(tree, problem.size()) : tree.start};
}

/// A part of a vector with one number for each vertex; nothing of nothing.
template <class Number>
std::vector<Number> part_of(const std::vector<Number>& values, std::span<const Vertex> vertices) {
    std::vector<Number> result;
    if (values.empty()) return result;
    for (const Vertex v : vertices) result.push_back(values[index(v)]);
    return result;
}

}  // namespace

Vertex end_of_path(const Tree& tree, Vertex n) {
    const std::vector<int> degree = degrees(tree, n);
    const auto end = std::find(degree.begin(), degree.end(), 1);
    return end == degree.end() ? tree.start : static_cast<Vertex>(end - degree.begin());
}

HangingTree::HangingTree(const Problem& problem, const Tree& tree)
    : HangingTree(problem, tree, roots_of(problem, tree)) {}

HangingTree::HangingTree(const Problem& problem, const Tree& tree, std::vector<Vertex> from)
    : roots(std::move(from)) {
    const std::size_t n = index(problem.size());
    const TreeSpec& spec = problem.spec();
    if (roots.size() == 2) {
        Tree halves = tree;
        std::erase_if(halves.edges, [&](const Edge& edge) {
            return edge == Edge{roots[0], roots[1]} || edge == Edge{roots[1], roots[0]};
        });
        rooted = hang(halves, roots, problem.size());
    } else {
        rooted = hang(tree, roots.front(), problem.size());
    }
    degree = degrees(tree, problem.size());
    const bool from_centre = counts_hops_from_centre(spec);
    hops = from_centre ? *spec.diameter / 2 : most_hops(spec);
    chain = from_centre ? chain_at_root(spec) : 0;
    way.assign(n, 0);
    height.assign(n, 0);
    if (chain > 0) height[index(*spec.root)] = chain;
    reach.assign(n, 0);
    demand.assign(n, 0);
    mass.assign(n, 0);
    for (const Vertex v : rooted.order) {
        demand[index(v)] = spec.demand(v);
        mass[index(v)] = spec.mass(v);
        total_mass += spec.mass(v);
        if (const Vertex u = rooted.parent[index(v)]; u != no_vertex) {
            way[index(v)] = way[index(u)] + problem.weights()(u, v);
        }
    }
    for (auto v = rooted.order.rbegin(); v != rooted.order.rend(); ++v) {
        const Vertex u = rooted.parent[index(*v)];
        if (u == no_vertex) continue;
        demand[index(u)] += demand[index(*v)];
        mass[index(u)] += mass[index(*v)];
        height[index(u)] = std::max(height[index(u)], height[index(*v)] + 1);
        reach[index(u)] = std::max(reach[index(u)], reach[index(*v)] + way[index(*v)] - way[index(u)]);
    }
}

std::optional<Edge> HangingTree::centre() const {
    if (roots.size() < 2) return std::nullopt;
    return Edge{roots[0], roots[1]};
}

BelowWindows::BelowWindows(const Problem& problem, const HangingTree& tree, std::span<const TreeWindow> windows) {
    const TreeSpec& spec = problem.spec();
    const std::size_t n = index(problem.size());
    height.assign(n, 0);
    reach.assign(n, 0);
    demand.resize(n);
    mass.resize(n);
    for (Vertex v = 0; v < problem.size(); ++v) {
        demand[index(v)] = spec.demand(v);
        mass[index(v)] = spec.mass(v);
    }
    if (tree.chain > 0) height[index(*spec.root)] = tree.chain;
    for (const TreeWindow& window : windows) {
        const std::size_t top = index(window.top);
        for (const Vertex v : window.members) {
            if (tree.rooted.parent[index(v)] != window.top) continue;
            height[top] = std::max(height[top], tree.height[index(v)] + 1);
            reach[top] = std::max(reach[top], tree.reach[index(v)] + tree.way[index(v)] - tree.way[top]);
            demand[top] += tree.demand[index(v)];
            mass[top] += tree.mass[index(v)];
        }
    }
}

WindowProblem::WindowProblem(const Problem& whole, const HangingTree& tree, const BelowWindows& below,
                             const TreeWindow& window, std::span<const Vertex> joining) {
    vertices_.assign(window.members.begin(), window.members.end());
    vertices_.push_back(window.top);
    vertices_.insert(vertices_.end(), joining.begin(), joining.end());
    std::sort(vertices_.begin(), vertices_.end());
    top_ = local(window.top);
    tree_.start = top_;
    inside_.assign(vertices_.size(), 0);
    for (const Vertex v : window.members) {
        const Edge edge{local(tree.rooted.parent[index(v)]), local(v)};
        tree_.edges.push_back(edge);
        ++inside_[index(edge.u)];
        ++inside_[index(edge.v)];
    }

    instance_.weights = induced(whole.weights(), vertices_);
    place(whole);
    TreeSpec spec;
    spec.objective = whole.spec().objective;
    take_limits(whole, tree, below, window, spec);
    take_coverage(whole, tree, spec);
    is_free_ = spec.objective == Objective::length && spec.coverage == Coverage::all && spec.has_only({});
    if (!spec.hops && !spec.length) {
        problem_ = std::make_unique<Problem>(instance_, std::move(spec), std::string(whole.name()));
        return;
    }
    Hanging hanging{part_of(below.height, vertices_), part_of(below.reach, vertices_)};
    hanging.height[index(top_)] = 0;
    hanging.reach[index(top_)] = 0;
    problem_ =
        std::make_unique<HangingProblem>(instance_, std::move(spec), std::string(whole.name()), std::move(hanging));
}

Vertex WindowProblem::local(Vertex v) const {
    return static_cast<Vertex>(std::lower_bound(vertices_.begin(), vertices_.end(), v) - vertices_.begin());
}

void WindowProblem::take_limits(const Problem& whole, const HangingTree& tree, const BelowWindows& below,
                                const TreeWindow& window, TreeSpec& spec) const {
    const TreeSpec& all = whole.spec();
    const bool is_at_root = tree.rooted.parent[index(window.top)] == no_vertex;
    if (all.root || tree.hops) spec.root = top_;
    if (tree.hops) spec.hops = *tree.hops - static_cast<int>(tree.rooted.depth[index(window.top)]);
    if (all.length) spec.length = *all.length - tree.way[index(window.top)];
    // Below the root a window lies in one branch, whose load it does not change.
    if (is_at_root) spec.capacity = all.capacity;
    spec.cables = all.cables;
    if (spec.has(Limit::capacity)) {
        spec.demands = part_of(below.demand, vertices_);
        // What hangs from the top is no load of its own: a policy would take it for a graph of large demands.
        spec.demands[index(top_)] = all.demand(window.top);
    }
    if (all.objective == Objective::routing_cost) {
        spec.masses = part_of(below.mass, vertices_);
        double& above = spec.masses[index(top_)];
        above = tree.total_mass;
        for (const Vertex v : window.members) {
            if (tree.rooted.parent[index(v)] == window.top) above -= tree.mass[index(v)];
        }
        above = std::max(above, 0.0);
    }
    for (std::size_t k = 0; !all.degrees.empty() && k < vertices_.size(); ++k) {
        const Vertex v = vertices_[k];
        // What a vertex has left may be used by one window only: by the one that has it as a member, if any.
        const bool may_use = v != window.top || window.has_spare_degree;
        const int left = may_use ? all.degrees[index(v)] - tree.degree[index(v)] : 0;
        spec.degrees.push_back(inside_[k] + left);
    }
    for (const auto& [u, v] : all.included_edges) {
        const Vertex lower = tree.rooted.parent[index(v)] == u ? v : u;
        const Vertex k = local(lower);
        const bool is_inside = index(k) < vertices_.size() && vertices_[index(k)] == lower && k != top_;
        if (is_inside) spec.included_edges.push_back({local(u), local(v)});
    }
}

void WindowProblem::take_coverage(const Problem& whole, const HangingTree& tree, TreeSpec& spec) const {
    const TreeSpec& all = whole.spec();
    if (all.coverage == Coverage::all) return;
    const std::size_t n = vertices_.size();
    std::vector<bool> is_fixed(n, false);
    std::vector<int> in_group(static_cast<std::size_t>(all.group_count()), 0);
    std::vector<int> number(in_group.size(), -1);
    for (std::size_t k = 0; k < n; ++k) {
        const Vertex v = vertices_[k];
        is_fixed[k] = static_cast<Vertex>(k) == top_ || tree.degree[index(v)] > inside_[k] ||
                      (all.coverage != Coverage::groups && whole.required(v));
        if (all.group(v) >= 0) ++in_group[static_cast<std::size_t>(all.group(v))];
    }
    for (const Vertex v : all.terminals) {
        const Vertex k = local(v);
        if (index(k) < n && vertices_[index(k)] == v) is_fixed[index(k)] = true;
    }
    int groups = 0;
    spec.coverage = all.coverage;
    for (std::size_t k = 0; k < n && all.coverage == Coverage::groups; ++k) {
        const int group = all.group(vertices_[k]);
        if (group < 0) continue;
        if (in_group[static_cast<std::size_t>(group)] == 1)
            is_fixed[k] = true;
        else if (number[static_cast<std::size_t>(group)] < 0)
            number[static_cast<std::size_t>(group)] = groups++;
    }
    if (groups > 0) {
        for (const Vertex v : vertices_) {
            const int group = all.group(v);
            spec.groups.push_back(group < 0 ? -1 : number[static_cast<std::size_t>(group)]);
        }
    } else if (all.coverage == Coverage::groups) {
        spec.coverage = Coverage::terminals;
    }
    for (std::size_t k = 0; k < n; ++k) {
        if (is_fixed[k]) spec.terminals.push_back(static_cast<Vertex>(k));
    }
    spec.prizes = part_of(all.prizes, vertices_);
}

void WindowProblem::place(const Problem& whole) {
    const auto positions = whole.instance().positions();
    if (positions.empty()) return;
    Point low{Weights::infinity, Weights::infinity};
    Point high{-Weights::infinity, -Weights::infinity};
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        const Point at = positions[index(vertices_[k])];
        seen_at_.push_back(at);
        if (static_cast<Vertex>(k) == top_) continue;
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    Point& top = seen_at_[index(top_)];
    top = {std::clamp(top.x, low.x, high.x), std::clamp(top.y, low.y, high.y)};
}

}  // namespace neuroprim
