#include "search/rooted/resource_tree.hpp"

#include <algorithm>
#include <utility>

#include "problems/centred_hops.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim::rooted {

/// A new centre is joined whatever it crosses, and a chain at the root is for trees that hold all vertices.
bool ResourceTree::has_centre(const TreeSpec& spec) {
    const bool may_have_chain = spec.coverage == Coverage::all || !spec.hops;
    return counts_hops_from_centre(spec) && may_have_chain && !spec.no_crossings;
}

bool ResourceTree::supports(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!problem.is_plain() || spec.objective == Objective::communication) return false;
    // Other limits need resources that are not kept here.
    if (!spec.has_only({Limit::degree, Limit::hops, Limit::length, Limit::capacity, Limit::diameter, Limit::edges,
                        Limit::crossings})) {
        return false;
    }
    if (spec.diameter && *spec.diameter < 2) return false;
    // Paths are joined by places that are known once for all of them.
    const bool has_paths = spec.coverage == Coverage::terminals || spec.coverage == Coverage::optional;
    if (spec.diameter && has_paths && !has_centre(spec)) return false;
    // A price by masses beside a capacity by demands would need two loads; masses of what is outside do not count.
    return spec.objective != Objective::routing_cost ||
           (spec.coverage == Coverage::all && !spec.has(Limit::capacity));
}

ResourceTree::ResourceTree(const Problem& problem)
    : problem_(&problem),
      spec_(&problem.spec()),
      most_length_(Weights::infinity),
      capacity_(Weights::infinity),
      node_(index(problem.size())) {
    if (spec_->hops) most_hops_ = *spec_->hops;
    if (has_centre(*spec_)) {
        most_hops_ = *spec_->diameter / 2;
        chain_ = chain_at_root(*spec_);
    } else if (spec_->diameter) {
        widest_ = *spec_->diameter;
        most_hops_ = spec_->hops.value_or(widest_);
    }
    if (spec_->length) most_length_ = *spec_->length * (1 + sum_tolerance);
    if (spec_->has(Limit::capacity)) capacity_ = spec_->branch_capacity() * (1 + sum_tolerance);
    keeps_heights_ = most_hops_ > 0;
    keeps_lengths_ = spec_->length.has_value();
    priced_by_load_ = spec_->objective == Objective::cables || spec_->objective == Objective::routing_cost;
    keeps_loads_ = priced_by_load_ || capacity_ < Weights::infinity;
    for (Vertex v = 0; v < problem.size(); ++v) total_mass_ += spec_->mass(v);
    group_inside_.assign(static_cast<std::size_t>(spec_->group_count()), 0);
    if (spec_->no_crossings) crossings_.emplace(problem.instance());
}

ResourceTree::ResourceTree(const Problem& problem, Contraction contraction) : ResourceTree(problem) {
    contraction_ = std::move(contraction);
}

int ResourceTree::least_height(Vertex v) const {
    if (contraction_) return contraction_->height[index(v)];
    return v == spec_->root ? chain_ : 0;
}

/// Hops from the parent of `v` to the deepest vertex below it that does not hang from `v`. O(1) unless `v` is the
/// only way down to the deepest one of all.
int ResourceTree::height_beside(Vertex v) const {
    const Node& above = node_[index(parent(v))];
    const auto through = [&](Vertex x) { return hop(x) + node_[index(x)].height; };
    if (above.deepest > 1 || through(v) < above.height) return above.height;
    int height = least_height(parent(v));
    for (Vertex x = above.first_child; x != no_vertex; x = next_sibling(x)) {
        if (x != v) height = std::max(height, through(x));
    }
    return height;
}

double ResourceTree::own_load(Vertex v) const {
    return spec_->objective == Objective::routing_cost ? spec_->mass(v) : spec_->demand(v);
}

double ResourceTree::edge_price(double load) const {
    return spec_->objective == Objective::cables ? spec_->cable_price(load) : load * (total_mass_ - load);
}

void ResourceTree::load(const Tree& tree) {
    root_ = spec_->root.value_or(tree.start);
    twin_ = no_vertex;
    if (has_centre(*spec_)) {
        const std::vector<Vertex> ends = centre_of(tree, size(), *spec_);
        const Vertex centre = ends.front();
        root_ = centre;
        if (*spec_->diameter % 2 == 1) {
            Vertex twin = ends.size() > 1 ? ends.back() : no_vertex;
            // A tree that is narrower than allowed takes any neighbour of its centre for the other end.
            if (twin == no_vertex && !tree.edges.empty()) {
                for (const auto& [u, v] : tree.edges) {
                    if (u == centre || v == centre) twin = u == centre ? v : u;
                }
            }
            twin_ = twin;
        }
    }
    load(root_, twin_, hang(tree, root_, size()).parent);
    cost_ = problem_->cost(tree);  // summed as others will sum it
}

void ResourceTree::load(Vertex root, Vertex twin, std::span<const Vertex> parent) {
    root_ = root;
    twin_ = twin;
    if (crossings_) crossings_->clear();
    std::fill(node_.begin(), node_.end(), Node{});
    std::fill(group_inside_.begin(), group_inside_.end(), 0);
    log_.clear();
    cost_ = 0;
    for (Vertex v = 0; v < size(); ++v) {
        Node& node = node_[index(v)];
        node.inside = v == root || parent[index(v)] != no_vertex;
        node.hop = v == twin ? 0 : 1;
        if (keeps_loads_) node.load = own_load(v);
        if (contraction_) {
            node.fixed = contraction_->is_fixed[index(v)] != 0;
            node.hop = contraction_->hops[index(v)];
            node.reach = contraction_->reach[index(v)];
        }
        node.height = least_height(v);
        node.deepest = node.height > 0 ? 1 : 0;
        if (!node.inside) {
            cost_ += spec_->prize(v);
        } else if (spec_->group(v) >= 0) {
            ++group_inside_[static_cast<std::size_t>(spec_->group(v))];
        }
    }
    for (Vertex v = size(); v-- > 0;) {
        if (parent[index(v)] != no_vertex) link(parent[index(v)], v);
    }
    std::vector<Vertex> order = {root};
    order.reserve(node_.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (Vertex v = first_child(order[k]); v != no_vertex; v = next_sibling(v)) order.push_back(v);
    }
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
        Node& node = node_[index(*v)];
        if (node.parent == no_vertex) continue;
        node.weight_above = node.fixed ? contraction_->length[index(*v)] : problem_->weights()(node.parent, *v);
        if (!node.fixed) cost_ += priced_by_load_ ? node.weight_above * edge_price(node.load) : node.weight_above;
        Node& above = node_[index(node.parent)];
        if (keeps_loads_) above.load += node.load;
        if (keeps_lengths_) above.reach = std::max(above.reach, node.weight_above + node.reach);
        if (!keeps_heights_) continue;
        const int through = node.hop + node.height;
        if (through > above.height) above.deepest = 0;
        if (through >= above.height) ++above.deepest;
        above.height = std::max(above.height, through);
    }
}

Tree ResourceTree::tree() const {
    Tree result{root_, {}};
    result.edges.reserve(node_.size());
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
    const Node* node = &node_[index(v)];
    while (node->parent != no_vertex) {
        result.hops += node->hop;
        result.length += node->weight_above;
        if (asks_how_far()) result.far_above = std::max(result.far_above, result.hops + height_beside(v));
        result.branch = v;
        v = node->parent;
        node = &node_[index(v)];
    }
    result.top = v;
    return result;
}

bool ResourceTree::may_detach(Vertex v) const {
    return v != twin_ && parent(v) != no_vertex && !node_[index(v)].fixed && !problem_->is_included(parent(v), v);
}

bool ResourceTree::fits(const Place& place, Vertex u, Vertex v, double weight) const {
    if (!spec_->degrees.empty() && degree(v) >= spec_->degrees[index(v)]) return false;
    Burden burden = burden_of(v);
    ++burden.hops;
    burden.length += weight;
    return fits(place, u, burden) && (!crossings_ || !crossings_->crosses(u, v));
}

bool ResourceTree::fits(const Place& place, Vertex u, const Burden& burden) const {
    if (!spec_->degrees.empty() && degree(u) >= spec_->degrees[index(u)]) return false;
    if (asks_how_far() && std::max(place.far_above, node_[index(u)].height) + burden.hops > widest_) return false;
    return fits_alone(
        {place.hops + burden.hops, place.length + burden.length,
         (place.branch == no_vertex || !keeps_loads_ ? 0 : node_[index(place.branch)].load) + burden.load});
}

bool ResourceTree::fits_alone(const Burden& burden) const {
    return (!keeps_heights_ || burden.hops <= most_hops_) && (!keeps_lengths_ || burden.length <= most_length_) &&
           burden.load <= capacity_;
}

Burden ResourceTree::burden_of(Vertex v) const {
    return {keeps_heights_ ? node_[index(v)].height : 0, keeps_lengths_ ? node_[index(v)].reach : 0,
            keeps_loads_ ? node_[index(v)].load : 0};
}

double ResourceTree::price(Vertex u, Vertex v, double weight) const {
    if (!priced_by_load_) return weight;
    const double load = node_[index(v)].load;
    return weight * edge_price(load) + price_of_load_above(u, load);
}

double ResourceTree::price_of_load_above(Vertex u, double load) const {
    if (!priced_by_load_) return 0;
    double sum = 0;
    for (Vertex x = u; parent(x) != no_vertex; x = parent(x)) {
        sum += node_[index(x)].weight_above *
               (edge_price(node_[index(x)].load + load) - edge_price(node_[index(x)].load));
    }
    return sum;
}

double ResourceTree::price_above(Vertex v) const {
    if (!priced_by_load_) return node_[index(v)].weight_above;
    const double load = node_[index(v)].load;
    double sum = node_[index(v)].weight_above * edge_price(load);
    for (Vertex x = parent(v); parent(x) != no_vertex; x = parent(x)) {
        sum += node_[index(x)].weight_above *
               (edge_price(node_[index(x)].load) - edge_price(node_[index(x)].load - load));
    }
    return sum;
}

void ResourceTree::link(Vertex u, Vertex v) {
    Node& above = node_[index(u)];
    Node& node = node_[index(v)];
    node.parent = u;
    node.next = above.first_child;
    node.previous = no_vertex;
    if (node.next != no_vertex) node_[index(node.next)].previous = v;
    above.first_child = v;
    ++above.children;
    if (crossings_) crossings_->insert(u, v);
}

void ResourceTree::unlink(Vertex v) {
    Node& node = node_[index(v)];
    Node& above = node_[index(node.parent)];
    if (node.previous != no_vertex) node_[index(node.previous)].next = node.next;
    if (node.next != no_vertex) node_[index(node.next)].previous = node.previous;
    if (above.first_child == v) above.first_child = node.next;
    node.parent = no_vertex;
    --above.children;
    if (crossings_) crossings_->erase(v);
}

/// No hop is counted above the twin.
void ResourceTree::set_twin(Vertex v) {
    if (twin_ != no_vertex) node_[index(twin_)].hop = 1;
    if (v != no_vertex) node_[index(v)].hop = 0;
    twin_ = v;
}

/// Adds to the load of `from` and of all above it, and to the cost what that changes.
void ResourceTree::add_load(Vertex from, double load) {
    if (!keeps_loads_) return;
    for (Vertex x = from; x != no_vertex; x = parent(x)) {
        const double before = node_[index(x)].load;
        node_[index(x)].load = before + load;
        if (priced_by_load_ && parent(x) != no_vertex) {
            cost_ += node_[index(x)].weight_above * (edge_price(before + load) - edge_price(before));
        }
    }
}

/// The subtree of a child of `x` has changed so that the deepest vertex through it is now `after` hops below `x`
/// instead of `before`; −1 stands for no such child.
void ResourceTree::update_heights(Vertex x, int before, int after) {
    while (x != no_vertex) {
        int& height = node_[index(x)].height;
        int& deepest = node_[index(x)].deepest;
        const int old = height;
        if (before == height) --deepest;
        if (after > height) {
            height = after;
            deepest = 1;
        } else if (after == height) {
            ++deepest;
        }
        if (deepest == 0) {
            height = least_height(x);
            deepest = height > 0 ? 1 : 0;
            for (Vertex y = first_child(x); y != no_vertex; y = next_sibling(y)) {
                const int through = hop(y) + node_[index(y)].height;
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
        double& reach = node_[index(x)].reach;
        const double old = reach;
        if (after >= old) {
            reach = after;
        } else if (before == old) {
            reach = contraction_ ? contraction_->reach[index(x)] : 0;
            for (Vertex y = first_child(x); y != no_vertex; y = next_sibling(y)) {
                reach = std::max(reach, node_[index(y)].weight_above + node_[index(y)].reach);
            }
        }
        if (reach == old) return;
        before = node_[index(x)].weight_above + old;
        after = node_[index(x)].weight_above + reach;
        x = parent(x);
    }
}

void ResourceTree::do_attach(Vertex u, Vertex v) {
    link(u, v);
    const double weight = problem_->weights()(u, v);
    node_[index(v)].weight_above = weight;
    cost_ += priced_by_load_ ? weight * edge_price(node_[index(v)].load) : weight;
    if (keeps_loads_) add_load(u, node_[index(v)].load);
    if (keeps_heights_) update_heights(u, -1, hop(v) + node_[index(v)].height);
    if (keeps_lengths_) update_reaches(u, -1, weight + node_[index(v)].reach);
}

void ResourceTree::do_detach(Vertex v) {
    const Vertex u = parent(v);
    const double weight = node_[index(v)].weight_above;
    unlink(v);
    cost_ -= priced_by_load_ ? weight * edge_price(node_[index(v)].load) : weight;
    if (keeps_loads_) add_load(u, -node_[index(v)].load);
    if (keeps_heights_) update_heights(u, hop(v) + node_[index(v)].height, -1);
    if (keeps_lengths_) update_reaches(u, weight + node_[index(v)].reach, -1);
}

void ResourceTree::do_take_in(Vertex v) {
    node_[index(v)].inside = 1;
    cost_ -= spec_->prize(v);
    if (spec_->group(v) >= 0) ++group_inside_[static_cast<std::size_t>(spec_->group(v))];
}

void ResourceTree::do_leave_out(Vertex v) {
    node_[index(v)].inside = 0;
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
    log_.push_back({Kind::root_changed, root_, v, cost_});
    root_ = v;
}

void ResourceTree::change_twin(Vertex twin) {
    // Both have to hang anew, because hops are counted in another way through them.
    const Vertex former = twin_;
    if (former != no_vertex) detach(former);
    if (twin != no_vertex && twin != former) detach(twin);
    log_.push_back({Kind::twin_changed, twin_, no_vertex, cost_});
    set_twin(twin);
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
                set_twin(v);
                break;
        }
    }
    cost_ = cost;
}

}  // namespace neuroprim::rooted
