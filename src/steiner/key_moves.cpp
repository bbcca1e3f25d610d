#include "steiner/key_moves.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "graph/disjoint_sets.hpp"

namespace neuroprim::steiner {

namespace {
constexpr double far_away = std::numeric_limits<double>::infinity();
}

KeyMoves::KeyMoves(const FlatGraph& graph, std::span<const double> weights) : graph_(graph), weights_(weights) {
    const auto n = index(graph.size());
    key_children_.resize(n);
    heap_.resize(n);
    across_.resize(n);
    is_mended_.assign(n, 0);
    new_base_.assign(n, no_vertex);
    new_length_.assign(n, far_away);
    new_via_.assign(n, -1);
    part_.assign(n, no_vertex);
}

void KeyMoves::hang(const EdgeTree& tree) {
    const auto n = index(graph_.size());
    parent_.assign(n, no_vertex);
    parent_edge_.assign(n, -1);
    degree_.assign(n, 0);
    enter_.assign(n, -1);
    leave_.assign(n, -1);
    order_.clear();
    std::vector<char> used(static_cast<std::size_t>(graph_.edge_count()), 0);
    for (const int e : tree.edges) {
        used[static_cast<std::size_t>(e)] = 1;
        ++degree_[index(graph_.link(e).u)];
        ++degree_[index(graph_.link(e).v)];
    }
    std::vector<Vertex> open = {graph_.terminals().front()};
    while (!open.empty()) {
        const Vertex v = open.back();
        open.pop_back();
        enter_[index(v)] = static_cast<int>(order_.size());
        leave_[index(v)] = enter_[index(v)] + 1;
        order_.push_back(v);
        for (const auto& arc : graph_.arcs(v)) {
            if (used[static_cast<std::size_t>(arc.edge)] == 0 || arc.edge == parent_edge_[index(v)]) continue;
            parent_[index(arc.to)] = v;
            parent_edge_[index(arc.to)] = arc.edge;
            open.push_back(arc.to);
        }
    }
    for (std::size_t k = order_.size(); k-- > 1;) {
        int& above = leave_[index(parent_[index(order_[k])])];
        above = std::max(above, leave_[index(order_[k])]);
    }
}

void KeyMoves::find_regions() {
    const auto n = index(graph_.size());
    base_.assign(n, no_vertex);
    length_.assign(n, far_away);
    via_.assign(n, -1);
    region_next_.assign(n, no_vertex);
    region_first_.assign(n, no_vertex);
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const Vertex v : order_) {
        base_[index(v)] = v;
        length_[index(v)] = 0;
        queue.emplace(0, v);
    }
    while (!queue.empty()) {
        const auto [distance, v] = queue.top();
        queue.pop();
        if (distance > length_[index(v)]) continue;
        for (const auto& arc : graph_.arcs(v)) {
            const double longer = distance + weight(arc.edge);
            if (longer >= length_[index(arc.to)]) continue;
            length_[index(arc.to)] = longer;
            base_[index(arc.to)] = base_[index(v)];
            via_[index(arc.to)] = arc.edge;
            queue.emplace(longer, arc.to);
        }
    }
    for (Vertex v = 0; v < graph_.size(); ++v) {
        if (base_[index(v)] == no_vertex) continue;
        region_next_[index(v)] = region_first_[index(base_[index(v)])];
        region_first_[index(base_[index(v)])] = v;
    }
}

void KeyMoves::find_boundaries() {
    for (Vertex v = 0; v < graph_.size(); ++v) {
        heap_[index(v)].clear();
        across_[index(v)].clear();
    }
    for (int e = 0; e < graph_.edge_count(); ++e) {
        const Vertex a = base_[index(graph_.link(e).u)];
        const Vertex b = base_[index(graph_.link(e).v)];
        if (a == b || a == no_vertex || b == no_vertex) continue;
        if (parent_edge_[index(a)] == e || parent_edge_[index(b)] == e) continue;
        const double length = boundary_length(e);
        if (length == far_away) continue;
        heap_[index(a)].push_back({length, e});
        heap_[index(b)].push_back({length, e});
        Vertex meet = enter_[index(a)] < enter_[index(b)] ? a : b;
        const Vertex other = meet == a ? b : a;
        while (!below(other, meet)) meet = parent_[index(meet)];
        if (!graph_.is_terminal(meet) && degree_[index(meet)] > 2) across_[index(meet)].push_back(e);
    }
    for (const Vertex v : order_) {
        std::make_heap(heap_[index(v)].begin(), heap_[index(v)].end(), std::greater<>{});
    }
}

Vertex KeyMoves::base(Vertex v) const {
    return is_mended_[index(v)] != 0 ? new_base_[index(v)] : base_[index(v)];
}

double KeyMoves::length(Vertex v) const {
    return is_mended_[index(v)] != 0 ? new_length_[index(v)] : length_[index(v)];
}

double KeyMoves::boundary_length(int e) const {
    return length(graph_.link(e).u) + weight(e) + length(graph_.link(e).v);
}

void KeyMoves::mend(std::span<const Vertex> removed, double limit) {
    for (const Vertex r : removed) {
        for (Vertex v = region_first_[index(r)]; v != no_vertex; v = region_next_[index(v)]) {
            is_mended_[index(v)] = 1;
            new_base_[index(v)] = no_vertex;
            new_length_[index(v)] = far_away;
            new_via_[index(v)] = -1;
            mended_.push_back(v);
        }
    }
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto label = [&](Vertex v, double length, Vertex base, int via) {
        if (length >= new_length_[index(v)] || length >= limit) return;
        new_length_[index(v)] = length;
        new_base_[index(v)] = base;
        new_via_[index(v)] = via;
        queue.emplace(length, v);
    };
    for (const Vertex v : mended_) {
        for (const auto& arc : graph_.arcs(v)) {
            if (is_mended_[index(arc.to)] != 0 || base_[index(arc.to)] == no_vertex) continue;
            label(v, length_[index(arc.to)] + weight(arc.edge), base_[index(arc.to)], arc.edge);
        }
    }
    while (!queue.empty()) {
        const auto [distance, v] = queue.top();
        queue.pop();
        if (distance > new_length_[index(v)]) continue;
        for (const auto& arc : graph_.arcs(v)) {
            if (is_mended_[index(arc.to)] == 0) continue;
            label(arc.to, distance + weight(arc.edge), new_base_[index(v)], arc.edge);
        }
    }
}

void KeyMoves::forget_mending() {
    for (const Vertex v : mended_) is_mended_[index(v)] = 0;
    mended_.clear();
}

void KeyMoves::append_way(Vertex v, std::vector<int>& edges) const {
    while (true) {
        const int e = is_mended_[index(v)] != 0 ? new_via_[index(v)] : via_[index(v)];
        if (e < 0) return;
        edges.push_back(e);
        v = graph_.link(e).u == v ? graph_.link(e).v : graph_.link(e).u;
    }
}

void KeyMoves::append_path(int e, std::vector<int>& edges) const {
    edges.push_back(e);
    append_way(graph_.link(e).u, edges);
    append_way(graph_.link(e).v, edges);
}

/// Up from the key vertex x to the next one, which is returned; the edges of the key path count as removed.
Vertex KeyMoves::climb(Vertex x, Move& move, std::vector<Vertex>& inner) const {
    while (true) {
        move.removed.push_back(parent_edge_[index(x)]);
        move.gain += weight(parent_edge_[index(x)]);
        x = parent_[index(x)];
        if (is_key(x)) return x;
        inner.push_back(x);
    }
}

void KeyMoves::merge_heap(Vertex from, Vertex into) {
    auto& small = heap_[index(from)];
    auto& large = heap_[index(into)];
    if (small.size() > large.size()) std::swap(small, large);
    for (const Boundary& boundary : small) {
        large.push_back(boundary);
        std::push_heap(large.begin(), large.end(), std::greater<>{});
    }
    small.clear();
}

/// The shortest boundary edge from the subtree of x to the vertices outside that of `top`, other than `inner`.
/// What is passed over is inside or removed for all later questions about this heap, and is dropped.
const KeyMoves::Boundary* KeyMoves::best_out_of(Vertex x, Vertex top, std::span<const Vertex> inner) {
    auto& heap = heap_[index(x)];
    while (!heap.empty()) {
        const Vertex a = base_[index(graph_.link(heap.front().edge).u)];
        const Vertex b = base_[index(graph_.link(heap.front().edge).v)];
        const bool leaves = below(a, x) != below(b, x) && !(below(a, top) && below(b, top));
        if (leaves) {
            const Vertex outer = below(a, x) ? b : a;
            if (std::find(inner.begin(), inner.end(), outer) == inner.end()) return heap.data();
        }
        std::pop_heap(heap.begin(), heap.end(), std::greater<>{});
        heap.pop_back();
    }
    return nullptr;
}

void KeyMoves::exchange(Vertex x, std::vector<Move>& moves) {
    Move move;
    std::vector<Vertex> inner;
    climb(x, move, inner);
    double best = move.gain - least_gain_;
    int best_edge = -1;
    if (const Boundary* top = best_out_of(x, x, inner); top != nullptr && top->length < best) {
        best = top->length;
        best_edge = top->edge;
    }
    mend(inner, best);
    for (const Vertex v : mended_) {
        if (new_base_[index(v)] == no_vertex) continue;
        for (const auto& arc : graph_.arcs(v)) {
            const Vertex other = base(arc.to);
            if (other == no_vertex || below(other, x) == below(new_base_[index(v)], x)) continue;
            if (const double length = boundary_length(arc.edge); length < best) {
                best = length;
                best_edge = arc.edge;
            }
        }
    }
    if (best_edge >= 0) {
        move.gain -= best;
        append_path(best_edge, move.added);
        moves.push_back(std::move(move));
    }
    forget_mending();
}

void KeyMoves::eliminate(Vertex x, std::vector<Move>& moves) {
    Move move;
    std::vector<Vertex> removed = {x};
    for (const Vertex child : key_children_[index(x)]) climb(child, move, removed);
    // climb ends at x, which is a key vertex and not listed again.
    const std::size_t upper = removed.size();
    climb(x, move, removed);
    const auto& children = key_children_[index(x)];
    const auto part = [&](Vertex v) {
        for (std::size_t k = 0; k < children.size(); ++k) {
            if (below(v, children[k])) return static_cast<Vertex>(k);
        }
        return static_cast<Vertex>(children.size());
    };
    std::vector<Boundary> joints;
    const std::span<const Vertex> above = std::span(removed).subspan(upper);
    for (const Vertex child : children) {
        if (const Boundary* top = best_out_of(child, x, above)) joints.push_back(*top);
    }
    const double limit = move.gain - least_gain_;
    mend(removed, limit);
    const auto is_removed = [&](Vertex v) { return is_mended_[index(v)] != 0; };  // its own region was mended
    for (const int e : across_[index(x)]) {
        const Vertex a = base_[index(graph_.link(e).u)];
        const Vertex b = base_[index(graph_.link(e).v)];
        if (!is_removed(a) && !is_removed(b)) joints.push_back({boundary_length(e), e});
    }
    for (const Vertex v : mended_) {
        if (new_base_[index(v)] == no_vertex) continue;
        for (const auto& arc : graph_.arcs(v)) {
            const Vertex other = base(arc.to);
            if (other == no_vertex || other == new_base_[index(v)]) continue;
            if (const double length = boundary_length(arc.edge); length < limit) joints.push_back({length, arc.edge});
        }
    }
    std::sort(joints.begin(), joints.end(), [](const Boundary& a, const Boundary& b) { return b > a; });
    DisjointSets parts(static_cast<Vertex>(children.size()) + 1);
    std::size_t joined = 0;
    for (const Boundary& joint : joints) {
        if (move.gain - joint.length <= least_gain_) break;
        const Vertex a = part(base(graph_.link(joint.edge).u));
        const Vertex b = part(base(graph_.link(joint.edge).v));
        if (!parts.join(a, b)) continue;
        move.gain -= joint.length;
        append_path(joint.edge, move.added);
        if (++joined == children.size()) break;
    }
    if (joined == children.size() && move.gain > least_gain_) moves.push_back(std::move(move));
    forget_mending();
}

std::vector<KeyMoves::Move> KeyMoves::moves(const EdgeTree& tree, const StopToken& stop) {
    std::vector<Move> result;
    if (tree.edges.empty()) return result;
    least_gain_ = 1e-9 * std::max(1.0, tree.cost);
    hang(tree);
    find_regions();
    find_boundaries();
    for (const Vertex v : order_) key_children_[index(v)].clear();
    for (std::size_t k = order_.size(); k-- > 1;) {
        const Vertex v = order_[k];
        if (!is_key(v)) continue;
        Vertex above = parent_[index(v)];
        while (!is_key(above)) above = parent_[index(above)];
        key_children_[index(above)].push_back(v);
    }
    for (std::size_t k = order_.size(); k-- > 1;) {
        const Vertex v = order_[k];
        if ((k & 31) == 0 && stop.expired()) break;
        if (!is_key(v)) continue;
        if (!graph_.is_terminal(v)) eliminate(v, result);
        for (const Vertex child : key_children_[index(v)]) {
            merge_heap(child, v);
            for (Vertex x = parent_[index(child)]; x != v; x = parent_[index(x)]) merge_heap(x, v);
        }
        exchange(v, result);
    }
    return result;
}

bool KeyMoves::improve(EdgeTree& tree, const StopToken& stop) {
    std::vector<Move> found = moves(tree, stop);
    std::stable_sort(found.begin(), found.end(), [](const Move& a, const Move& b) { return a.gain > b.gain; });
    std::vector<char> used(static_cast<std::size_t>(graph_.edge_count()), 0);
    const auto flag = [&](char value, const std::vector<int>& edges) {
        for (const int e : edges) used[static_cast<std::size_t>(e)] = value;
    };
    flag(1, tree.edges);
    bool changed = false;
    for (const Move& move : found) {
        const auto is_used = [&](int e) { return used[static_cast<std::size_t>(e)] != 0; };
        if (stop.expired()) break;
        if (!std::all_of(move.removed.begin(), move.removed.end(), is_used)) continue;
        flag(0, tree.edges);
        flag(1, move.removed);
        std::vector<int> edges;
        std::copy_if(tree.edges.begin(), tree.edges.end(), std::back_inserter(edges),
                     [&](int e) { return used[static_cast<std::size_t>(e)] == 0; });
        flag(0, move.removed);
        edges.insert(edges.end(), move.added.begin(), move.added.end());
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        auto better = tree_among(graph_, std::move(edges), weights_);
        if (better && better->cost < tree.cost - least_gain_) {
            tree = *std::move(better);
            changed = true;
        }
        flag(1, tree.edges);
    }
    return changed;
}

}  // namespace neuroprim::steiner
