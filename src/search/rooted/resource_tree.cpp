#include "search/rooted/resource_tree.hpp"

#include <algorithm>
#include <utility>

#include "problems/tolerance.hpp"

namespace neuroprim::rooted {

bool ResourceTree::supports(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!problem.is_plain() || spec.objective == Objective::communication) return false;
    // Other limits need resources that are not kept here.
    if (!spec.has_only({Limit::degree, Limit::hops, Limit::length, Limit::capacity, Limit::diameter, Limit::edges,
                        Limit::crossings})) {
        return false;
    }
    if (spec.no_crossings && spec.diameter) return false;  // a new centre is joined whatever it crosses
    const bool counts_from_root = spec.counts_from_root();
    // Hops from a root and hops from a centre would need two ways of seeing one tree.
    if (spec.diameter && (counts_from_root || *spec.diameter < 2)) return false;
    // A price by masses beside a capacity by demands would need two loads; masses of what is outside do not count.
    return spec.objective != Objective::routing_cost ||
           (spec.coverage == Coverage::all && !spec.has(Limit::capacity));
}

ResourceTree::ResourceTree(const Problem& problem)
    : problem_(&problem),
      spec_(&problem.spec()),
      most_length_(Weights::infinity),
      capacity_(Weights::infinity),
      parent_(index(problem.size()), no_vertex),
      first_child_(parent_.size(), no_vertex),
      next_(parent_.size(), no_vertex),
      previous_(parent_.size(), no_vertex),
      children_(parent_.size(), 0),
      inside_(parent_.size(), 0),
      weight_above_(parent_.size(), 0) {
    if (spec_->hops) most_hops_ = *spec_->hops;
    if (spec_->diameter) most_hops_ = *spec_->diameter / 2;
    if (spec_->length) most_length_ = *spec_->length * (1 + sum_tolerance);
    if (spec_->has(Limit::capacity)) capacity_ = spec_->branch_capacity() * (1 + sum_tolerance);
    keeps_heights_ = most_hops_ > 0;
    keeps_lengths_ = spec_->length.has_value();
    priced_by_load_ = spec_->objective == Objective::cables || spec_->objective == Objective::routing_cost;
    keeps_loads_ = priced_by_load_ || capacity_ < Weights::infinity;
    for (Vertex v = 0; v < problem.size(); ++v) total_mass_ += spec_->mass(v);
    if (keeps_heights_) {
        height_.assign(parent_.size(), 0);
        deepest_.assign(parent_.size(), 0);
    }
    if (keeps_lengths_) reach_.assign(parent_.size(), 0);
    if (keeps_loads_) load_.assign(parent_.size(), 0);
    group_inside_.assign(static_cast<std::size_t>(spec_->group_count()), 0);
    if (spec_->no_crossings) crossings_.emplace(problem.instance());
}

double ResourceTree::own_load(Vertex v) const {
    return spec_->objective == Objective::routing_cost ? spec_->mass(v) : spec_->demand(v);
}

double ResourceTree::edge_price(double load) const {
    return spec_->objective == Objective::cables ? spec_->cable_price(load) : load * (total_mass_ - load);
}

namespace {

/// The vertex of a longest path that has half of it on either side, and, where the path has an odd number of edges,
/// the next one on it.
std::pair<Vertex, Vertex> centre_of(const Tree& tree, Vertex n) {
    const auto farthest = [](const RootedTree& rooted) {
        return static_cast<Vertex>(std::max_element(rooted.depth.begin(), rooted.depth.end()) - rooted.depth.begin());
    };
    const Vertex one_end = farthest(hang(tree, tree.start, n));
    const RootedTree rooted = hang(tree, one_end, n);
    Vertex v = farthest(rooted);
    const Vertex diameter = rooted.depth[index(v)];
    for (Vertex k = 0; k < diameter / 2; ++k) v = rooted.parent[index(v)];
    return {v, diameter % 2 == 1 ? rooted.parent[index(v)] : no_vertex};
}

}  // namespace

void ResourceTree::load(const Tree& tree) {
    root_ = spec_->root.value_or(tree.start);
    twin_ = no_vertex;
    if (spec_->diameter) {
        auto [centre, twin] = centre_of(tree, size());
        root_ = centre;
        if (*spec_->diameter % 2 == 1) {
            // A tree that is narrower than allowed takes any neighbour of its centre for the other end.
            if (twin == no_vertex && !tree.edges.empty()) {
                for (const auto& [u, v] : tree.edges) {
                    if (u == centre || v == centre) twin = u == centre ? v : u;
                }
            }
            twin_ = twin;
        }
    }
    if (crossings_) crossings_->clear();
    std::fill(parent_.begin(), parent_.end(), no_vertex);
    std::fill(first_child_.begin(), first_child_.end(), no_vertex);
    std::fill(next_.begin(), next_.end(), no_vertex);
    std::fill(previous_.begin(), previous_.end(), no_vertex);
    std::fill(children_.begin(), children_.end(), 0);
    std::fill(inside_.begin(), inside_.end(), 0);
    std::fill(weight_above_.begin(), weight_above_.end(), 0);
    std::fill(height_.begin(), height_.end(), 0);
    std::fill(deepest_.begin(), deepest_.end(), 0);
    std::fill(reach_.begin(), reach_.end(), 0);
    for (std::size_t v = 0; v < load_.size(); ++v) load_[v] = own_load(static_cast<Vertex>(v));
    std::fill(group_inside_.begin(), group_inside_.end(), 0);
    const RootedTree rooted = hang(tree, root_, size());
    for (const Vertex v : rooted.order) {
        inside_[index(v)] = 1;
        if (spec_->group(v) >= 0) ++group_inside_[static_cast<std::size_t>(spec_->group(v))];
    }
    for (auto v = rooted.order.rbegin(); v != rooted.order.rend(); ++v) {
        const Vertex u = rooted.parent[index(*v)];
        if (u == no_vertex) continue;
        link(u, *v);
        weight_above_[index(*v)] = problem_->weights()(u, *v);
        if (keeps_loads_) load_[index(u)] += load_[index(*v)];
        if (keeps_heights_) update_heights(u, -1, hop(*v) + height_[index(*v)]);
        if (keeps_lengths_) update_reaches(u, -1, weight_above_[index(*v)] + reach_[index(*v)]);
    }
    cost_ = problem_->cost(tree);
    log_.clear();
}

Tree ResourceTree::tree() const {
    Tree result{root_, {}};
    std::vector<Vertex> waiting = {root_};
    while (!waiting.empty()) {
        const Vertex u = waiting.back();
        waiting.pop_back();
        for (Vertex v = first_child(u); v != no_vertex; v = next_sibling(v)) {
            result.edges.push_back({u, v});
            waiting.push_back(v);
        }
    }
    return result;
}

Place ResourceTree::place(Vertex v) const {
    Place result;
    while (parent(v) != no_vertex) {
        result.hops += hop(v);
        result.length += weight_above_[index(v)];
        result.branch = v;
        v = parent(v);
    }
    result.top = v;
    return result;
}

bool ResourceTree::may_detach(Vertex v) const {
    return v != twin_ && parent(v) != no_vertex && !problem_->is_included(parent(v), v);
}

bool ResourceTree::fits(const Place& place, Vertex u, Vertex v) const {
    if (!spec_->degrees.empty() && degree(v) >= spec_->degrees[index(v)]) return false;
    Burden burden = burden_of(v);
    ++burden.hops;
    if (keeps_lengths_) burden.length += problem_->weights()(u, v);
    return fits(place, u, burden) && (!crossings_ || !crossings_->crosses(u, v));
}

bool ResourceTree::fits(const Place& place, Vertex u, const Burden& burden) const {
    if (!spec_->degrees.empty() && degree(u) >= spec_->degrees[index(u)]) return false;
    return fits_alone({place.hops + burden.hops, place.length + burden.length,
                       (place.branch == no_vertex || !keeps_loads_ ? 0 : load_[index(place.branch)]) + burden.load});
}

bool ResourceTree::fits_alone(const Burden& burden) const {
    return (!keeps_heights_ || burden.hops <= most_hops_) && (!keeps_lengths_ || burden.length <= most_length_) &&
           burden.load <= capacity_;
}

Burden ResourceTree::burden_of(Vertex v) const {
    return {keeps_heights_ ? height_[index(v)] : 0, keeps_lengths_ ? reach_[index(v)] : 0,
            keeps_loads_ ? load_[index(v)] : 0};
}

double ResourceTree::price(Vertex u, Vertex v) const {
    const double weight = problem_->weights()(u, v);
    if (!priced_by_load_) return weight;
    const double load = load_[index(v)];
    return weight * edge_price(load) + price_of_load_above(u, load);
}

double ResourceTree::price_of_load_above(Vertex u, double load) const {
    if (!priced_by_load_) return 0;
    double sum = 0;
    for (Vertex x = u; parent(x) != no_vertex; x = parent(x)) {
        sum += weight_above_[index(x)] * (edge_price(load_[index(x)] + load) - edge_price(load_[index(x)]));
    }
    return sum;
}

double ResourceTree::price_above(Vertex v) const {
    if (!priced_by_load_) return weight_above_[index(v)];
    const double load = load_[index(v)];
    double sum = weight_above_[index(v)] * edge_price(load);
    for (Vertex x = parent(v); parent(x) != no_vertex; x = parent(x)) {
        sum += weight_above_[index(x)] * (edge_price(load_[index(x)]) - edge_price(load_[index(x)] - load));
    }
    return sum;
}

void ResourceTree::link(Vertex u, Vertex v) {
    parent_[index(v)] = u;
    const Vertex first = first_child_[index(u)];
    next_[index(v)] = first;
    previous_[index(v)] = no_vertex;
    if (first != no_vertex) previous_[index(first)] = v;
    first_child_[index(u)] = v;
    ++children_[index(u)];
    if (crossings_) crossings_->insert(u, v);
}

void ResourceTree::unlink(Vertex v) {
    const Vertex u = parent_[index(v)];
    const Vertex before = previous_[index(v)];
    const Vertex after = next_[index(v)];
    if (before != no_vertex) next_[index(before)] = after;
    if (after != no_vertex) previous_[index(after)] = before;
    if (first_child_[index(u)] == v) first_child_[index(u)] = after;
    parent_[index(v)] = no_vertex;
    --children_[index(u)];
    if (crossings_) crossings_->erase(v);
}

/// Adds to the load of `from` and of all above it, and to the cost what that changes.
void ResourceTree::add_load(Vertex from, double load) {
    if (!keeps_loads_) return;
    for (Vertex x = from; x != no_vertex; x = parent(x)) {
        const double before = load_[index(x)];
        load_[index(x)] = before + load;
        if (priced_by_load_ && parent(x) != no_vertex) {
            cost_ += weight_above_[index(x)] * (edge_price(before + load) - edge_price(before));
        }
    }
}

/// The subtree of a child of `x` has changed so that the deepest vertex through it is now `after` hops below `x`
/// instead of `before`; −1 stands for no such child.
void ResourceTree::update_heights(Vertex x, int before, int after) {
    while (x != no_vertex) {
        int& height = height_[index(x)];
        int& deepest = deepest_[index(x)];
        const int old = height;
        if (before == height) --deepest;
        if (after > height) {
            height = after;
            deepest = 1;
        } else if (after == height) {
            ++deepest;
        }
        if (deepest == 0) {
            height = 0;
            for (Vertex y = first_child(x); y != no_vertex; y = next_sibling(y)) {
                const int through = hop(y) + height_[index(y)];
                if (through > height) deepest = 0;
                if (through >= height) ++deepest;
                height = std::max(height, through);
            }
        }
        if (height == old) return;
        before = hop(x) + old;
        after = hop(x) + height;
        x = parent(x);
    }
}

/// The same for lengths.
void ResourceTree::update_reaches(Vertex x, double before, double after) {
    while (x != no_vertex) {
        double& reach = reach_[index(x)];
        const double old = reach;
        if (after >= old) {
            reach = after;
        } else if (before == old) {
            reach = 0;
            for (Vertex y = first_child(x); y != no_vertex; y = next_sibling(y)) {
                reach = std::max(reach, weight_above_[index(y)] + reach_[index(y)]);
            }
        }
        if (reach == old) return;
        before = weight_above_[index(x)] + old;
        after = weight_above_[index(x)] + reach;
        x = parent(x);
    }
}

void ResourceTree::do_attach(Vertex u, Vertex v) {
    link(u, v);
    const double weight = problem_->weights()(u, v);
    weight_above_[index(v)] = weight;
    cost_ += priced_by_load_ ? weight * edge_price(load_[index(v)]) : weight;
    if (keeps_loads_) add_load(u, load_[index(v)]);
    if (keeps_heights_) update_heights(u, -1, hop(v) + height_[index(v)]);
    if (keeps_lengths_) update_reaches(u, -1, weight + reach_[index(v)]);
}

void ResourceTree::do_detach(Vertex v) {
    const Vertex u = parent(v);
    const double weight = weight_above_[index(v)];
    unlink(v);
    cost_ -= priced_by_load_ ? weight * edge_price(load_[index(v)]) : weight;
    if (keeps_loads_) add_load(u, -load_[index(v)]);
    if (keeps_heights_) update_heights(u, hop(v) + height_[index(v)], -1);
    if (keeps_lengths_) update_reaches(u, weight + reach_[index(v)], -1);
}

void ResourceTree::do_take_in(Vertex v) {
    inside_[index(v)] = 1;
    cost_ -= spec_->prize(v);
    if (spec_->group(v) >= 0) ++group_inside_[static_cast<std::size_t>(spec_->group(v))];
}

void ResourceTree::do_leave_out(Vertex v) {
    inside_[index(v)] = 0;
    cost_ += spec_->prize(v);
    if (spec_->group(v) >= 0) --group_inside_[static_cast<std::size_t>(spec_->group(v))];
}

void ResourceTree::attach(Vertex u, Vertex v) {
    log_.push_back({Kind::attached, v, u, cost_});
    do_attach(u, v);
}

void ResourceTree::detach(Vertex v) {
    log_.push_back({Kind::detached, v, parent(v), cost_});
    do_detach(v);
}

void ResourceTree::take_in(Vertex v) {
    log_.push_back({Kind::taken_in, v, no_vertex, cost_});
    do_take_in(v);
}

void ResourceTree::leave_out(Vertex v) {
    log_.push_back({Kind::left_out, v, no_vertex, cost_});
    do_leave_out(v);
}

void ResourceTree::turn(Vertex v) {
    std::vector<Vertex> above;
    for (Vertex x = v; x != no_vertex; x = parent(x)) above.push_back(x);
    // From the top down, so that each cut is of an edge below the present top.
    for (std::size_t k = above.size(); k-- > 1;) {
        detach(above[k - 1]);
        attach(above[k - 1], above[k]);
    }
}

void ResourceTree::change_root(Vertex v) {
    change_twin(no_vertex);
    turn(v);
    log_.push_back({Kind::root_changed, root_, no_vertex, cost_});
    root_ = v;
}

void ResourceTree::change_twin(Vertex twin) {
    // Both have to hang anew, because hops are counted in another way through them.
    const Vertex former = twin_;
    if (former != no_vertex) detach(former);
    if (twin != no_vertex && twin != former) detach(twin);
    log_.push_back({Kind::twin_changed, twin_, no_vertex, cost_});
    twin_ = twin;
    if (former != no_vertex && former != twin) attach(root_, former);
    if (twin != no_vertex) attach(root_, twin);
}

void ResourceTree::roll_back(std::size_t changes) {
    if (log_.size() <= changes) return;
    const double cost = log_[changes].cost_before;
    for (; log_.size() > changes; log_.pop_back()) {
        const auto& [kind, v, other, before] = log_.back();
        switch (kind) {
            case Kind::attached:
                do_detach(v);
                break;
            case Kind::detached:
                do_attach(other, v);
                break;
            case Kind::taken_in:
                do_leave_out(v);
                break;
            case Kind::left_out:
                do_take_in(v);
                break;
            case Kind::root_changed:
                root_ = v;
                break;
            case Kind::twin_changed:
                twin_ = v;
                break;
        }
    }
    cost_ = cost;
}

}  // namespace neuroprim::rooted
