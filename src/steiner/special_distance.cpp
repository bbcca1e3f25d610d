#include "steiner/special_distance.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace neuroprim::steiner {

namespace {
constexpr double unreached = std::numeric_limits<double>::infinity();
}

SpecialDistance::SpecialDistance(const Graph& graph, std::size_t effort)
    : graph_(&graph), effort_(effort), length_(index(graph.size()), unreached), is_settled_(index(graph.size()), 0) {}

bool SpecialDistance::within(Vertex u, Vertex v, double limit, int without_edge, Vertex without_vertex) {
    for (const Vertex x : touched_) {
        length_[index(x)] = unreached;
        is_settled_[index(x)] = 0;
    }
    touched_.clear();
    queue_.clear();
    const auto reach = [&](Vertex x, double length) {
        if (graph_->is_terminal(x)) length = 0;
        length = std::max(0.0, length - graph_->prize(x));
        if (length >= length_[index(x)] || is_settled_[index(x)] != 0) return;
        if (length_[index(x)] == unreached) touched_.push_back(x);
        length_[index(x)] = length;
        queue_.emplace_back(length, x);
        std::push_heap(queue_.begin(), queue_.end(), std::greater<>{});
    };
    reach(u, 0);
    std::size_t looked_at = 0;
    while (!queue_.empty() && looked_at < effort_) {
        const auto [length, x] = queue_.front();
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>{});
        queue_.pop_back();
        if (length > length_[index(x)] || is_settled_[index(x)] != 0) continue;
        is_settled_[index(x)] = graph_->prize(x) > 0 ? 1 : 0;
        for (int a = graph_->first(x); a != Graph::none; a = graph_->next(a)) {
            ++looked_at;
            const double longer = length + graph_->weight(a);
            if (longer > limit || a / 2 == without_edge) continue;
            const Vertex y = graph_->head(a);
            if (y == v) return true;
            if (y != without_vertex) reach(y, longer);
        }
    }
    return false;
}

BottleneckForest::BottleneckForest(Vertex n) : parent_(index(n)), size_(index(n), 1), weight_(index(n), unreached) {
    std::iota(parent_.begin(), parent_.end(), 0);
}

bool BottleneckForest::join(Vertex u, Vertex v, double weight) {
    while (parent_[index(u)] != u) u = parent_[index(u)];
    while (parent_[index(v)] != v) v = parent_[index(v)];
    if (u == v) return false;
    if (size_[index(u)] < size_[index(v)]) std::swap(u, v);
    parent_[index(v)] = u;
    size_[index(u)] += size_[index(v)];
    weight_[index(v)] = weight;
    return true;
}

double BottleneckForest::between(Vertex u, Vertex v) const {
    double heaviest = 0;
    while (u != v) {
        // Links get heavier upwards, so the lighter one is below the meeting place.
        if (weight_[index(u)] > weight_[index(v)]) std::swap(u, v);
        if (weight_[index(u)] == unreached) return unreached;
        heaviest = weight_[index(u)];
        u = parent_[index(u)];
    }
    return heaviest;
}

}  // namespace neuroprim::steiner
