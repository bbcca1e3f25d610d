#include "search/routing/routing_tree.hpp"

#include <algorithm>
#include <numeric>

namespace neuroprim::routing {

RoutingTree::RoutingTree(const Lengths& lengths, std::vector<double> masses)
    : lengths_(&lengths), mass_(std::move(masses)) {
    const std::size_t n = mass_.size();
    total_ = std::accumulate(mass_.begin(), mass_.end(), 0.0);
    parent_.assign(n, no_vertex);
    length_.assign(n, 0);
    place_.assign(n, 0);
    count_.assign(n, 0);
    mass_below_.assign(n, 0);
    sum_below_.assign(n, 0);
    sum_.assign(n, 0);
    height_.assign(n, 0);
    changed_at_.assign(n, 0);
    signature_.assign(n, 0);
}

void RoutingTree::load(const Tree& tree) {
    const std::vector<int> degree = degrees(tree, size());
    const auto hub = static_cast<Vertex>(std::max_element(degree.begin(), degree.end()) - degree.begin());
    restore(hang(tree, hub, size()).parent);
}

Tree RoutingTree::tree() const {
    Tree result{root(), {}};
    result.edges.reserve(order_.size());
    for (std::size_t k = 1; k < order_.size(); ++k) result.edges.push_back({parent(order_[k]), order_[k]});
    return result;
}

void RoutingTree::restore(const std::vector<Vertex>& parents) {
    parent_ = parents;
    for (Vertex v = 0; v < size(); ++v) {
        if (parent(v) != no_vertex) length_[index(v)] = (*lengths_)(v, parent(v));
    }
    refresh();
}

double RoutingTree::distance(Vertex u, Vertex v) const {
    Vertex meeting = u;
    while (!is_above(meeting, v)) meeting = parent(meeting);
    return height(u) + height(v) - 2 * height(meeting);
}

/// Makes `inside` the top of the subtree of `lower`; its own parent is left to the caller.
void RoutingTree::turn_up(Vertex inside, Vertex lower) {
    Vertex above = no_vertex;
    double above_length = 0;
    for (Vertex v = inside;;) {
        const Vertex next = parent_[index(v)];
        const double next_length = length_[index(v)];
        parent_[index(v)] = above;
        length_[index(v)] = above_length;
        if (v == lower) return;
        above = v;
        above_length = next_length;
        v = next;
    }
}

void RoutingTree::regraft(Vertex lower, Vertex inside, Vertex outside) {
    turn_up(inside, lower);
    parent_[index(inside)] = outside;
    length_[index(inside)] = (*lengths_)(inside, outside);
    refresh();
}

void RoutingTree::shift(Vertex from, Vertex to, std::span<const Vertex> moved) {
    for (const Vertex x : moved) {
        if (parent(x) == from) {
            parent_[index(x)] = to;
            length_[index(x)] = (*lengths_)(x, to);
        } else {
            parent_[index(to)] = x;
            parent_[index(from)] = to;
            length_[index(from)] = length_[index(to)];
            length_[index(to)] = (*lengths_)(x, to);
        }
    }
}

void RoutingTree::move_leaves(std::span<const Edge> leaf_and_parent) {
    for (const auto& [leaf, up] : leaf_and_parent) {
        parent_[index(leaf)] = up;
        length_[index(leaf)] = (*lengths_)(leaf, up);
    }
    refresh();
}

void RoutingTree::refresh_order() {
    const auto n = parent_.size();
    first_.assign(n + 1, 0);
    Vertex top = 0;
    for (Vertex v = 0; v < size(); ++v) {
        if (parent(v) == no_vertex) {
            top = v;
        } else {
            ++first_[index(parent(v)) + 1];
        }
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    child_.resize(n - 1);
    next_.assign(first_.begin(), first_.end() - 1);
    const auto is_childless = [&](Vertex v) { return first_[index(v)] == first_[index(v) + 1]; };
    for (const bool leaves : {false, true}) {
        for (Vertex v = 0; v < size(); ++v) {
            if (v != top && is_childless(v) == leaves) child_[index(next_[index(parent(v))]++)] = v;
        }
        if (leaves) break;
        hub_children_.resize(n);
        for (std::size_t v = 0; v < n; ++v) hub_children_[v] = next_[v] - first_[v];
    }
    order_.clear();
    hubs_.clear();
    next_.assign(1, top);
    while (!next_.empty()) {
        const Vertex v = next_.back();
        next_.pop_back();
        place_[index(v)] = static_cast<Vertex>(order_.size());
        order_.push_back(v);
        const auto below = children(v);
        next_.insert(next_.end(), below.begin(), below.end());
        if (v == top || !below.empty()) hubs_.push_back(v);
    }
}

/// Sums of scrambled numbers tell sets of neighbours apart well enough: a miss costs a look, not an error.
void RoutingTree::note_changes() {
    const auto scrambled = [](Vertex v) {
        std::uint64_t x = static_cast<std::uint64_t>(v) * 0x9e3779b97f4a7c15ULL;
        x ^= x >> 29;
        return x * 0xbf58476d1ce4e5b9ULL;
    };
    signature_now_.assign(parent_.size(), 0);
    for (Vertex v = 0; v < size(); ++v) {
        if (parent(v) == no_vertex) continue;
        signature_now_[index(v)] += scrambled(parent(v));
        signature_now_[index(parent(v))] += scrambled(v);
    }
    for (std::size_t v = 0; v < parent_.size(); ++v) {
        if (signature_now_[v] != signature_[v]) changed_at_[v] = time_;
    }
    signature_.swap(signature_now_);
}

void RoutingTree::refresh() {
    refresh_order();
    note_changes();
    for (const Vertex v : order_) {
        mass_below_[index(v)] = mass_[index(v)];
        sum_below_[index(v)] = 0;
        count_[index(v)] = 1;
    }
    cost_ = 0;
    for (std::size_t k = order_.size(); k-- > 1;) {
        const std::size_t v = index(order_[k]);
        const std::size_t u = index(parent_[v]);
        mass_below_[u] += mass_below_[v];
        sum_below_[u] += sum_below_[v] + mass_below_[v] * length_[v];
        count_[u] += count_[v];
        cost_ += mass_below_[v] * (total_ - mass_below_[v]) * length_[v];
    }
    const std::size_t top = index(root());
    sum_[top] = sum_below_[top];
    height_[top] = 0;
    for (std::size_t k = 1; k < order_.size(); ++k) {
        const std::size_t v = index(order_[k]);
        const std::size_t u = index(parent_[v]);
        // One step down brings the mass below nearer and takes the rest farther away.
        sum_[v] = sum_[u] + length_[v] * (total_ - 2 * mass_below_[v]);
        height_[v] = height_[u] + length_[v];
    }
}

}  // namespace neuroprim::routing
