#include "neuroprim/construction.hpp"

#include <algorithm>

#include "neuroprim/error.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

Construction::Construction(const Problem& problem, Vertex start) : problem_(&problem) {
    const auto n = index(problem.size());
    tree_.start = start;
    tree_.edges.reserve(n > 0 ? n - 1 : 0);
    degree_.assign(n, 0);
    depth_.assign(n, -1);
    if (!problem.spec().other_roots.empty()) {
        throw InputError("trees grow from one root, not from several: only solve knows how to contract them");
    }
    parent_.assign(n, no_vertex);
    place_.assign(n, -1);
    outside_.reserve(n);
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v == start) continue;
        place_[index(v)] = static_cast<Vertex>(outside_.size());
        outside_.push_back(v);
        if (problem.required(v)) ++required_outside_;
    }
    depth_[index(start)] = 0;
    start_resources();
    open_if_capacity(start);
}

void Construction::start_resources() {
    const TreeSpec& spec = problem_->spec();
    const auto n = index(problem_->size());
    const Vertex start = tree_.start;
    if (spec.length) length_.assign(n, 0);
    if (spec.has(Limit::capacity)) {
        branch_.assign(n, no_vertex);
        load_.assign(n, 0);
    }
    if (spec.diameter) eccentricity_.assign(n, 0);
    if (spec.coverage == Coverage::groups) {
        group_is_in_.assign(static_cast<std::size_t>(spec.group_count()), false);
        groups_outside_ = spec.group_count();
        take_group(start);
    }
    if (!spec.included_edges.empty()) {
        included_left_.assign(n, 0);
        for (const auto& [u, v] : spec.included_edges) {
            ++included_left_[index(u)];
            ++included_left_[index(v)];
        }
        component_is_in_.assign(static_cast<std::size_t>(problem_->included_components()), false);
        take_component(start);
    }
}

void Construction::take_group(Vertex v) {
    const int group = problem_->spec().group(v);
    if (group < 0) return;
    if (!group_is_in_[static_cast<std::size_t>(group)]) --groups_outside_;
    group_is_in_[static_cast<std::size_t>(group)] = true;
}

void Construction::take_component(Vertex v) {
    if (const int component = problem_->included_component(v); component >= 0) {
        component_is_in_[static_cast<std::size_t>(component)] = true;
    }
}

void Construction::use_resources(Vertex u, Vertex v) {
    if (!length_.empty()) length_[index(v)] = length_[index(u)] + problem_->weights()(u, v);
    if (!branch_.empty()) {
        branch_[index(v)] = u == tree_.start ? v : branch_[index(u)];
        load_[index(branch_[index(v)])] += problem_->spec().demand(v);
    }
    if (!eccentricity_.empty()) widen(v);
    if (!group_is_in_.empty()) take_group(v);
    if (!included_left_.empty()) {
        if (problem_->is_included(u, v)) {
            --included_left_[index(u)];
            --included_left_[index(v)];
        }
        take_component(v);
    }
}

/// The new leaf is as far from every vertex as one walk over the tree tells. The edges are in growing order, so
/// parents come first: the distances of the path to the start, then of all that hangs from it. O(size of the tree).
void Construction::widen(Vertex v) {
    distance_.assign(depth_.size(), -1);
    Vertex steps = 0;
    for (Vertex w = v; w != no_vertex; w = parent_[index(w)]) distance_[index(w)] = steps++;
    Vertex farthest = distance_[index(tree_.start)];
    eccentricity_[index(tree_.start)] = std::max(eccentricity_[index(tree_.start)], farthest);
    for (const auto& [a, b] : tree_.edges) {
        Vertex& distance = distance_[index(b)];
        if (distance < 0) distance = distance_[index(a)] + 1;
        eccentricity_[index(b)] = std::max(eccentricity_[index(b)], distance);
        farthest = std::max(farthest, distance);
    }
    eccentricity_[index(v)] = farthest;
}

void Construction::add(Vertex u, Vertex v) {
    remove_outside(v);
    if (problem_->required(v)) --required_outside_;
    tree_.edges.push_back({u, v});
    parent_[index(v)] = u;
    depth_[index(v)] = depth_[index(u)] + 1;
    ++degree_[index(u)];
    ++degree_[index(v)];
    use_resources(u, v);
    if (problem_->residual_capacity_is_local()) {
        close_if_full(u);
    } else {
        for (std::size_t k = open_.size(); k-- > 0;) close_if_full(open_[k]);
    }
    open_if_capacity(v);
}

bool Construction::allows(Vertex u, Vertex v) const {
    return is_open(u) && !contains(v) && problem_->weights().has_edge(u, v) && problem_->lookahead_allows(*this, v) &&
           problem_->joins(*this, u, v);
}

bool Construction::may_stop() const {
    return problem_->may_stop(*this);
}

bool Construction::must_stop() const {
    return problem_->must_stop(*this);
}

bool Construction::is_feasible() const {
    return may_stop() && !problem_->violation(tree_);
}

void Construction::remove_outside(Vertex v) {
    const auto place = index(place_[index(v)]);
    const Vertex last = outside_.back();
    outside_[place] = last;
    place_[index(last)] = static_cast<Vertex>(place);
    outside_.pop_back();
    place_[index(v)] = -1;
}

void Construction::open_if_capacity(Vertex v) {
    if (!problem_->has_residual_capacity(*this, v)) return;
    place_[index(v)] = static_cast<Vertex>(open_.size());
    open_.push_back(v);
}

void Construction::close_if_full(Vertex v) {
    if (place_[index(v)] < 0 || problem_->has_residual_capacity(*this, v)) return;
    const auto place = index(place_[index(v)]);
    const Vertex last = open_.back();
    open_[place] = last;
    place_[index(last)] = static_cast<Vertex>(place);
    open_.pop_back();
    place_[index(v)] = -1;
}

}  // namespace neuroprim
