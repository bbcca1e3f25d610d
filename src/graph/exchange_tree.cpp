#include "graph/exchange_tree.hpp"

#include <algorithm>

namespace neuroprim {

void TreeLinks::add(Vertex v, Vertex to) {
    int& count = count_[index(v)];
    auto& few = few_[index(v)];
    if (count < most_few) {
        few[static_cast<std::size_t>(count)] = to;
    } else {
        auto& list = many_[v];
        if (count == most_few) list.assign(few.begin(), few.end());
        list.push_back(to);
    }
    ++count;
}

void TreeLinks::remove(Vertex v, Vertex to) {
    int& count = count_[index(v)];
    auto& few = few_[index(v)];
    if (count <= most_few) {
        *std::find(few.begin(), few.end(), to) = few[static_cast<std::size_t>(count) - 1];
    } else {
        auto& list = many_.at(v);
        *std::find(list.begin(), list.end(), to) = list.back();
        list.pop_back();
        if (list.size() == few.size()) {
            std::copy(list.begin(), list.end(), few.begin());
            many_.erase(v);
        }
    }
    --count;
}

ExchangeTree::ExchangeTree(const Tree& tree, const Weights& weights)
    : parent_weight_(index(weights.size()), 0), links_(index(weights.size())), seen_(index(weights.size()), 0) {
    RootedTree rooted = hang(tree, tree.start, weights.size());
    parent_ = std::move(rooted.parent);
    for (Vertex v = 0; v < weights.size(); ++v) {
        const Vertex u = parent(v);
        if (u == no_vertex) continue;
        parent_weight_[index(v)] = weights(u, v);
        links_.add(u, v);
        links_.add(v, u);
    }
}

EdgeExchange ExchangeTree::exchange(const EdgeExchange& change, double weight) {
    const auto [inner, outer, top] = change;
    const Vertex left = parent(top);
    links_.remove(top, left);
    links_.remove(left, top);
    links_.add(inner, outer);
    links_.add(outer, inner);
    Vertex above = outer;
    for (Vertex v = inner; above != top;) {
        const Vertex next = parent(v);
        const double next_weight = parent_weight(v);
        parent_[index(v)] = above;
        parent_weight_[index(v)] = weight;
        weight = next_weight;
        above = v;
        v = next;
    }
    return {top, left, inner};
}

std::span<const Vertex> ExchangeTree::path(Vertex a, Vertex b) {
    // Two climbers by turns: the one that steps on the other's trail has found where the ways meet.
    round_ += 2;
    const unsigned trail_a = round_;
    const unsigned trail_b = round_ + 1;
    path_.assign({a});
    other_half_.assign({b});
    seen_[index(a)] = trail_a;
    Vertex meeting = a == b ? a : no_vertex;
    if (meeting == no_vertex) seen_[index(b)] = trail_b;
    while (meeting == no_vertex) {
        for (const bool from_a : {true, false}) {
            auto& half = from_a ? path_ : other_half_;
            const Vertex v = parent(half.back());
            if (v == no_vertex) continue;
            half.push_back(v);
            if (seen_[index(v)] == (from_a ? trail_b : trail_a)) {
                meeting = v;
                break;
            }
            seen_[index(v)] = from_a ? trail_a : trail_b;
        }
    }
    // One of the climbers may have gone beyond.
    while (path_.back() != meeting) path_.pop_back();
    while (other_half_.back() != meeting) other_half_.pop_back();
    path_top_ = path_.size() - 1;
    path_.insert(path_.end(), other_half_.rbegin() + 1, other_half_.rend());
    return path_;
}

Tree ExchangeTree::tree() const {
    const auto root = static_cast<Vertex>(std::find(parent_.begin(), parent_.end(), no_vertex) - parent_.begin());
    Tree result{root, {}};
    result.edges.reserve(parent_.size());
    for (Vertex v = 0; v < size(); ++v) {
        if (v != root) result.edges.push_back({parent(v), v});
    }
    return grown_from(result, root, size());
}

}  // namespace neuroprim
