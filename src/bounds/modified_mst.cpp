#include "bounds/modified_mst.hpp"

#include <algorithm>
#include <numeric>

#include "graph/disjoint_sets.hpp"

namespace neuroprim {

namespace {

constexpr Vertex tabulated = 2000;
constexpr Vertex most_vertices = 10'000;
constexpr std::size_t most_edges = 100'000;

}  // namespace

ModifiedMst::ModifiedMst(const Weights& weights) : weights_(&weights), n_(weights.size()) {
    if (weights.form() == Weights::Form::sparse) {
        graph_ = weights.edges();
    } else if (n_ <= tabulated) {
        table_.assign(index(n_) * index(n_), Weights::infinity);
        for (Vertex u = 0; u < n_; ++u) {
            for (Vertex v = 0; v < u; ++v) {
                table_[index(u) * index(n_) + index(v)] = table_[index(v) * index(n_) + index(u)] = weights(u, v);
            }
        }
    }
}

bool ModifiedMst::takes(const Weights& weights) {
    return weights.form() == Weights::Form::sparse ? weights.edge_count() <= most_edges
                                                   : weights.size() <= most_vertices;
}

void ModifiedMst::begin(std::span<const double> penalties) {
    penalties_ = penalties;
    tree_.clear();
    if (!graph_.empty()) return;
    outside_.resize(index(n_) - 1);
    std::iota(outside_.begin(), outside_.end(), 1);
    cost_.assign(outside_.size(), Weights::infinity);
    weight_.assign(outside_.size(), Weights::infinity);
    through_.assign(outside_.size(), no_vertex);
    last_ = 0;
}

bool ModifiedMst::advance(std::int64_t& looks, const StopToken& stop) {
    if (looks <= 0 || stop.expired()) return false;
    if (!graph_.empty()) {
        constexpr std::int64_t looks_per_sorted_edge = 40;
        looks -= looks_per_sorted_edge * std::ssize(graph_);
        kruskal();
        return true;
    }
    const std::int64_t looks_per_distance = table_.empty() ? 8 : 1;  // a square root beside a number in a table
    // The clock is asked after some hundred thousand looks at an edge.
    const Vertex rounds_between_looks = 1 + 200'000 / std::max(n_, Vertex{1});
    for (Vertex since = 1; !outside_.empty(); ++since) {
        if (looks <= 0 || (since % rounds_between_looks == 0 && stop.expired())) return false;
        looks -= looks_per_distance * std::ssize(outside_);
        grow_by_one();
    }
    return true;
}

void ModifiedMst::grow_by_one() {
    const double offer = penalties_[index(last_)];
    const double* row = table_.empty() ? nullptr : &table_[index(last_) * index(n_)];
    std::size_t next = 0;
    double least = Weights::infinity;
    for (std::size_t k = 0; k < outside_.size(); ++k) {
        const Vertex v = outside_[k];
        const double weight = row != nullptr ? row[index(v)] : (*weights_)(last_, v);
        const double cost = weight + offer;
        if (cost < cost_[k]) {
            cost_[k] = cost;
            weight_[k] = weight;
            through_[k] = last_;
        }
        const double total = cost_[k] + penalties_[index(v)];
        if (total < least) {
            least = total;
            next = k;
        }
    }
    last_ = outside_[next];
    tree_.push_back({through_[next], last_, weight_[next]});
    outside_[next] = outside_.back();
    cost_[next] = cost_.back();
    weight_[next] = weight_.back();
    through_[next] = through_.back();
    outside_.pop_back();
    cost_.pop_back();
    weight_.pop_back();
    through_.pop_back();
}

void ModifiedMst::kruskal() {
    const auto cost = [&](const WeightedEdge& edge) {
        return edge.weight + penalties_[index(edge.u)] + penalties_[index(edge.v)];
    };
    std::sort(graph_.begin(), graph_.end(), [&](const WeightedEdge& a, const WeightedEdge& b) {
        const double cost_a = cost(a);
        const double cost_b = cost(b);
        if (cost_a != cost_b) return cost_a < cost_b;
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
    DisjointSets parts(n_);
    for (const WeightedEdge& edge : graph_) {
        if (parts.join(edge.u, edge.v)) tree_.push_back(edge);
    }
}

}  // namespace neuroprim
