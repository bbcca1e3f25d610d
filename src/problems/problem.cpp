#include "neuroprim/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <typeinfo>

#include "graph/disjoint_sets.hpp"
#include "graph/without_edges.hpp"
#include "neuroprim/error.hpp"
#include "problems/crossings.hpp"
#include "problems/judging.hpp"
#include "problems/required.hpp"
#include "problems/strong_pruning.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

Problem::Problem(const Instance& instance, TreeSpec spec, std::string name)
    : instance_(&instance), spec_(std::move(spec)), name_(std::move(name)) {
    if (instance.size() < 1) throw InputError("an instance needs at least one vertex");
    instance.weights.check();
    check(spec_, instance);
    if (!spec_.excluded_edges.empty()) {
        without_excluded_ = std::make_shared<const Instance>(without_edges(instance, spec_.excluded_edges));
        instance_ = without_excluded_.get();
    }
    required_ = required_by(spec_, size());
    if (spec_.no_crossings) plan_ = std::make_shared<const EdgePlan>(*instance_);
    find_included_components();
    if (!spec_.demands.empty()) least_demand_ = *std::min_element(spec_.demands.begin(), spec_.demands.end());
    has_single_places_ = std::find(spec_.degrees.begin(), spec_.degrees.end(), 1) != spec_.degrees.end();
}

void Problem::find_included_components() {
    if (spec_.included_edges.empty()) return;
    DisjointSets parts(size());
    included_component_.assign(index(size()), -1);
    for (const auto& [u, v] : spec_.included_edges) parts.join(u, v);
    std::vector<int> number(index(size()), -1);
    for (const auto& edge : spec_.included_edges) {
        int& component = number[index(parts.find(edge.u))];
        if (component < 0) component = included_components_++;
        included_component_[index(edge.u)] = included_component_[index(edge.v)] = component;
    }
}

bool Problem::is_included(Vertex u, Vertex v) const {
    if (included_component(u) < 0 || included_component(u) != included_component(v)) return false;
    return std::any_of(spec_.included_edges.begin(), spec_.included_edges.end(), [&](const Edge& edge) {
        return (edge.u == u && edge.v == v) || (edge.u == v && edge.v == u);
    });
}

bool Problem::is_plain() const {
    return typeid(*this) == typeid(Problem);
}

std::vector<Vertex> Problem::starts() const {
    if (spec_.root) return {*spec_.root};
    std::vector<Vertex> result;
    const auto add_if = [&](auto&& wanted) {
        for (Vertex v = 0; v < size(); ++v) {
            if (wanted(v)) result.push_back(v);
        }
    };
    add_if([&](Vertex v) { return required(v); });
    // Whoever says as code that no vertex must be in knows where to start.
    if (!is_plain() && spec_.coverage == Coverage::all) return result;
    if (result.empty()) add_if([&](Vertex v) { return spec_.group(v) >= 0 || spec_.prize(v) > 0; });
    if (result.empty()) add_if([](Vertex) { return true; });
    return result;
}

bool Problem::has_residual_capacity(const Construction& state, Vertex u) const {
    if (!spec_.degrees.empty() && state.degree(u) >= spec_.degrees[index(u)]) return false;
    if (spec_.hops && state.depth(u) >= *spec_.hops) return false;
    if (spec_.diameter && state.eccentricity(u) >= *spec_.diameter) return false;
    // The way may go on by edges of weight zero, so a length limit closes pairs only.
    return !spec_.has(Limit::capacity) ||
           state.branch_load(u) + least_demand_ <= spec_.branch_capacity() * (1 + sum_tolerance);
}

bool Problem::residual_capacity_is_local() const {
    return !spec_.diameter && !spec_.has(Limit::capacity);
}

Vertex Problem::most_open() const {
    const auto is_two = [](int limit) { return limit == 2; };
    return !spec_.degrees.empty() && std::all_of(spec_.degrees.begin(), spec_.degrees.end(), is_two) ? 2 : size();
}

/// A vertex that may have one tree edge only takes a free place and offers none. It must leave at least one while
/// others wait; on complete graphs that alone keeps a construction under degree limits completable (the sum of limits
/// never gets worse).
bool Problem::lookahead_allows(const Construction& state, Vertex v) const {
    if (spec_.coverage == Coverage::groups && spec_.group(v) >= 0 && state.has_group(spec_.group(v))) return false;
    if (!has_single_places_ || spec_.degrees[index(v)] > 1) return true;
    const int others = state.required_outside() - (required(v) ? 1 : 0) + state.groups_outside() -
                       (state.groups_outside() > 0 && spec_.group(v) >= 0 ? 1 : 0);
    if (others == 0 || state.open().size() > 1) return true;
    const Vertex only = state.open().empty() ? no_vertex : state.open().front();
    return only != no_vertex && spec_.degrees[index(only)] - state.degree(only) > 1;
}

bool Problem::lookahead_allows_all(const Construction& state) const {
    if (spec_.coverage == Coverage::groups) return false;
    return !has_single_places_ || state.open().size() > 1;
}

bool Problem::joins(const Construction& state, Vertex u, Vertex v) const {
    if (spec_.length && state.length(u) + weights()(u, v) > *spec_.length * (1 + sum_tolerance)) return false;
    if (spec_.has(Limit::capacity) &&
        state.branch_load(u) + spec_.demand(v) > spec_.branch_capacity() * (1 + sum_tolerance)) {
        return false;
    }
    if (spec_.no_crossings) {
        const auto& edges = state.tree().edges;
        if (std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) { return plan_->cross({u, v}, edge); })) {
            return false;
        }
    }
    if (spec_.included_edges.empty() || is_included(u, v)) return true;
    // What included edges hold together joins through them once a part of it is in; and they need their places.
    if (const int component = included_component(v); component >= 0 && state.has_component(component)) return false;
    return spec_.degrees.empty() || state.degree(u) + state.included_left(u) < spec_.degrees[index(u)];
}

bool Problem::has_pair_rule() const {
    return spec_.has(Limit::length) || spec_.has(Limit::capacity) || spec_.has(Limit::edges) ||
           spec_.has(Limit::crossings);
}

bool Problem::may_stop(const Construction& state) const {
    return state.required_outside() == 0 && state.groups_outside() == 0;
}

bool Problem::must_stop(const Construction& state) const {
    if (!may_stop(state)) return false;
    if (spec_.coverage != Coverage::optional) return true;
    const auto outside = state.outside();
    return std::none_of(outside.begin(), outside.end(), [&](Vertex v) { return spec_.prize(v) > 0; });
}

double Problem::cost(const Tree& tree) const {
    return neuroprim::cost(spec_, *instance_, tree);
}

bool Problem::cost_is_total_weight() const {
    return spec_.objective == Objective::length && spec_.prizes.empty();
}

Tree Problem::pruned(Tree tree) const {
    if (spec_.coverage == Coverage::all) return tree;
    std::vector<bool> kept(index(size()));
    for (Vertex v = 0; v < size(); ++v) kept[index(v)] = !is_expendable(*this, v);
    const bool pays = !spec_.prizes.empty() && spec_.objective == Objective::length;
    return pays ? strongly_pruned(tree, weights(), kept, spec_.prizes) : neuroprim::pruned(tree, kept);
}

std::optional<std::string> Problem::infeasibility_certificate() const {
    return infeasibility(spec_, *instance_);
}

std::optional<std::string> Problem::violation(const Tree& tree) const {
    if (is_plain()) return neuroprim::violation(spec_, *instance_, tree);
    if (auto reason = structural_violation(tree, weights())) return reason;
    const std::vector<int> degree = degrees(tree, size());
    std::vector<bool> asked(index(size()));
    for (Vertex v = 0; v < size(); ++v) {
        asked[index(v)] = required(v);
        const bool inside = tree.edges.empty() ? v == tree.start : degree[index(v)] > 0;
        if (!inside && asked[index(v)]) return describe_missing(v);
    }
    if (auto reason = violation_beside(spec_, *instance_, tree, asked)) return reason;
    return replayed(tree);
}

/// From the tree's own start where the problem allows that, otherwise from one of its vertices where it may start.
std::optional<std::string> Problem::replayed(const Tree& tree) const {
    const RootedTree inside = hang(tree, tree.start, size());
    const std::vector<Vertex> allowed = starts();
    const auto is_allowed = [&](Vertex v) { return std::find(allowed.begin(), allowed.end(), v) != allowed.end(); };
    Vertex root = tree.start;
    if (!is_allowed(root)) {
        const auto other = std::find_if(allowed.begin(), allowed.end(), [&](Vertex v) { return inside.contains(v); });
        if (allowed.empty()) return "the problem names no vertex to start from";
        if (other == allowed.end()) return "the tree holds no vertex that it may start from";
        root = *other;
    }
    const RootedTree rooted = hang(tree, root, size());
    Construction replay(*this, root);
    for (std::size_t k = 1; k < rooted.order.size(); ++k) {
        const Vertex v = rooted.order[k];
        const Vertex u = rooted.parent[index(v)];
        if (!replay.is_open(u)) return describe_overflow(tree, u);
        if (has_pair_rule() && !joins(replay, u, v)) {
            return fmt::format("vertex {} may not take vertex {}", instance_->label(u), instance_->label(v));
        }
        replay.add(u, v);
    }
    if (!replay.may_stop()) return "the tree is not finished";
    return std::nullopt;
}

std::string Problem::describe_overflow(const Tree&, Vertex u) const {
    return fmt::format("no room for another child at vertex {}", u);
}

std::string Problem::describe_missing(Vertex v) const {
    return fmt::format("not connected: vertex {} is not in the tree", v);
}

}  // namespace neuroprim
