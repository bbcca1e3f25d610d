#include "search/routing/communication_tree.hpp"

#include <algorithm>

#include "neuroprim/instance.hpp"

namespace neuroprim::routing {

Traffic::Traffic(Vertex n, std::span<const double> lower_triangle)
    : n_(index(n)), rows_(n_ * n_, 0.0), total_(n_, 0.0) {
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = 0; v < u; ++v) {
            const double traffic = lower_triangle[pair_index(u, v)];
            rows_[index(u) * n_ + index(v)] = traffic;
            rows_[index(v) * n_ + index(u)] = traffic;
            total_[index(u)] += traffic;
            total_[index(v)] += traffic;
        }
    }
}

CommunicationTree::CommunicationTree(const Lengths& lengths, const Traffic& traffic)
    : lengths_(&lengths),
      traffic_(&traffic),
      shape_(lengths, std::vector<double>(index(lengths.weights().size()), 1.0)),
      n_(index(lengths.weights().size())),
      below_(n_ * n_),
      cut_(n_),
      share_(n_),
      sum_(n_) {}

void CommunicationTree::load(const Tree& tree) {
    shape_.load(tree);
    refresh();
}

void CommunicationTree::restore(const std::vector<Vertex>& parents) {
    shape_.restore(parents);
    refresh();
}

void CommunicationTree::apply(const Move& move) {
    shape_.regraft(move.lower, move.inside, move.outside);
    refresh();
}

void CommunicationTree::refresh() {
    const auto order = shape_.order();
    for (const Vertex v : order) std::ranges::copy(traffic_->of(v), row(v).begin());
    cost_ = 0;
    for (std::size_t k = order.size(); k-- > 1;) {
        const Vertex v = order[k];
        const auto from = row(v);
        const auto into = row(shape_.parent(v));
        for (std::size_t x = 0; x < n_; ++x) into[x] += from[x];
        double cut = 0;
        for (const Vertex b : shape_.below(v)) cut += traffic_->total(b) - from[index(b)];
        cut_[index(v)] = cut;
        cost_ += cut * shape_.length_above(v);
    }
}

void CommunicationTree::sum_both_sides(Vertex lower) {
    const auto order = shape_.order();
    const auto cross = row(lower);
    const double cut = cut_[index(lower)];
    const Vertex root = shape_.root();
    double sum_root = 0;
    double sum_lower = 0;
    for (const Vertex v : order) {
        const bool inside = shape_.is_above(lower, v);
        double& share = share_[index(v)];
        share = inside ? traffic_->total(v) - cross[index(v)] : cross[index(v)];
        if (inside) {
            sum_lower += share * (shape_.height(v) - shape_.height(lower));
        } else {
            sum_root += share * shape_.height(v);
        }
    }
    for (std::size_t k = order.size(); k-- > 1;) {
        if (order[k] != lower) share_[index(shape_.parent(order[k]))] += share_[index(order[k])];
    }
    sum_[index(root)] = sum_root;
    sum_[index(lower)] = sum_lower;
    for (const Vertex v : order.subspan(1)) {
        if (v == lower) continue;
        sum_[index(v)] = sum_[index(shape_.parent(v))] + shape_.length_above(v) * (cut - 2 * share_[index(v)]);
    }
}

CommunicationTree::Move CommunicationTree::best_move(Vertex lower) {
    sum_both_sides(lower);
    const double cut = cut_[index(lower)];
    const double now = sum_[index(shape_.parent(lower))] + sum_[index(lower)] + cut * shape_.length_above(lower);
    double least_inside = Weights::infinity;
    for (const Vertex v : shape_.below(lower)) least_inside = std::min(least_inside, sum_[index(v)]);
    outside_.clear();
    double least_outside = Weights::infinity;
    for (const Vertex u : shape_.order()) {
        if (shape_.is_above(lower, u)) continue;
        least_outside = std::min(least_outside, sum_[index(u)]);
        if (sum_[index(u)] + least_inside < now) outside_.emplace_back(sum_[index(u)], u);
    }
    inside_.clear();
    for (const Vertex v : shape_.below(lower)) {
        if (sum_[index(v)] + least_outside < now) inside_.emplace_back(sum_[index(v)], v);
    }
    std::sort(inside_.begin(), inside_.end());
    std::sort(outside_.begin(), outside_.end());

    Move move{lower, no_vertex, no_vertex, 0};
    for (const auto& [inside_part, v] : inside_) {
        for (const auto& [outside_part, u] : outside_) {
            const double most = now - inside_part - outside_part;
            if (most <= move.gain) break;
            const double length = (*lengths_)(u, v);
            if (length == Weights::infinity) continue;
            const double gain = most - cut * length;
            if (gain > move.gain) move = {lower, v, u, gain};
        }
    }
    return move;
}

}  // namespace neuroprim::routing
