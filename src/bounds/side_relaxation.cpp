#include "bounds/side_relaxation.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>

namespace neuroprim {

namespace {

constexpr double no_tree = std::numeric_limits<double>::infinity();

/// Σ by how much prices fell; takes over the new ones.
double fall(std::vector<double>& prices, const std::vector<double>& now) {
    double sum = 0;
    for (std::size_t k = 0; k < now.size(); ++k) sum += std::max(0.0, prices[k] - now[k]);
    prices = now;
    return sum;
}

}  // namespace

SideRelaxation::SideRelaxation(Vertex n, std::vector<WeightedEdge> edges, SideCosts& costs,
                               std::optional<Vertex> root)
    : n_(n),
      edges_(std::move(edges)),
      costs_(costs),
      parts_(n),
      prices_(index(n), index(n), 0),
      change_(index(n), index(n), 0),
      known_(edges_.size()),
      root_(root),
      no_limits_{std::vector<double>(index(n), 0), std::vector<double>(index(n), 0),
                 std::vector<double>(index(n), 0)},
      limits_(no_limits_),
      degree_(index(n)),
      hops_(index(n)),
      length_(index(n)),
      missing_(index(n), index(n), 0),
      dearest_(index(n), index(n), 0) {}

void SideRelaxation::begin(const PaddedTable& prices, const EdgeChoice& choice, const LimitPrices& limits) {
    const auto now = prices.numbers();
    for (std::size_t k = 0; k < now.size(); ++k) change_.numbers()[k] = now[k] - prices_.numbers()[k];
    prices_ = prices;
    ++trees_;
    limits_.degree = limits.degree;
    hop_drop_ = fall(limits_.hop, limits.hop);
    length_drop_ = fall(limits_.length, limits.length);
    costs_.set_prices(prices_);
    if (root_) costs_.set_path_prices(limits_.hop, limits_.length);
    std::ranges::fill(degree_, 0.0);
    std::ranges::fill(hops_, 0.0);
    std::ranges::fill(length_, 0.0);
    choice_ = &choice;
    looked_at_ = 0;
    candidates_.clear();
    parts_ = DisjointSets(n_);
    tree_.clear();
    tree_cost_.clear();
    value_ = 0;
    for (std::size_t v = 0; v < index(n_); ++v) {
        std::fill(missing_[v], missing_[v] + n_, 1.0);
        missing_[v][v] = 0;
        value_ = std::accumulate(prices[v], prices[v] + n_, value_);
    }
    for (const int edge : choice.included) {
        const WeightedEdge& included = edges_[static_cast<std::size_t>(edge)];
        const double cost = costs_.least(included, side_) + degree_price(included);
        tree_cost_.push_back(cost);
        take(edge);
        value_ += cost;
    }
}

// Wherever a vertex lies, it earns no more than the larger of two changes in addition.
double SideRelaxation::floor_of(int place) {
    const WeightedEdge& edge = edges_[static_cast<std::size_t>(place)];
    Known& known = known_[static_cast<std::size_t>(place)];
    double floor = costs_.floor(edge);
    if (known.tree >= 0 && known.tree == trees_ - 1) {
        const double* at_u = change_[index(edge.u)];
        const double* at_v = change_[index(edge.v)];
        std::array<double, 8> sum = {};
        for (std::size_t block = 0; block < change_.stride(); block += 8) {
            for (std::size_t k = 0; k < 8; ++k) {
                const double u = at_u[block + k];
                const double v = at_v[block + k];
                sum[k] += u < v ? v : u;
            }
        }
        floor = std::max(floor, std::accumulate(sum.begin(), sum.end(), known.cost, std::minus<>()) - hop_drop_ -
                                    edge.weight * length_drop_);
    }
    known = {floor, trees_};
    return floor + degree_price(edge);
}

void SideRelaxation::take(int edge) {
    const auto& [u, v, weight] = edges_[static_cast<std::size_t>(edge)];
    parts_.join(u, v);
    tree_.push_back(edge);
    double* at_u = missing_[index(u)];
    double* at_v = missing_[index(v)];
    for (std::size_t o = 0; o < index(n_); ++o) {
        at_u[o] -= 1 - side_[o];
        at_v[o] -= side_[o];
    }
    degree_[index(u)] += 1;
    degree_[index(v)] += 1;
    if (!root_) return;
    for (std::size_t o = 0; o < index(n_); ++o) {
        if (side_[o] == side_[index(*root_)]) continue;
        hops_[o] += 1;
        length_[o] += weight;
    }
}

// Kruskal's algorithm, which asks for the cost of an edge only when its floor is the least of all.
bool SideRelaxation::advance(std::int64_t& looks, const StopToken& stop) {
    const auto dearer = [](const Candidate& a, const Candidate& b) {
        return a.cost != b.cost ? a.cost > b.cost : a.edge > b.edge;
    };
    if (looked_at_ == 0) candidates_.reserve(choice_->open.size());
    while (looked_at_ < choice_->open.size()) {
        if (looks <= 0 || (looked_at_ % 256 == 255 && stop.expired())) return false;
        const int edge = choice_->open[looked_at_++];
        candidates_.push_back({floor_of(edge), edge, false});
        looks -= costs_.floor_looks() + n_;
        if (looked_at_ == choice_->open.size()) std::ranges::make_heap(candidates_, dearer);
    }
    while (std::ssize(tree_) < n_ - 1) {
        if (looks <= 0 || stop.expired()) return false;
        if (candidates_.empty()) {
            value_ = no_tree;
            return true;
        }
        std::ranges::pop_heap(candidates_, dearer);
        Candidate candidate = candidates_.back();
        candidates_.pop_back();
        const WeightedEdge& edge = edges_[static_cast<std::size_t>(candidate.edge)];
        if (parts_.find(edge.u) == parts_.find(edge.v)) continue;
        const double least = costs_.least(edge, side_);
        const double cost = least + degree_price(edge);
        looks -= costs_.least_looks();
        known_[static_cast<std::size_t>(candidate.edge)].cost = least;
        if (!candidate.is_exact && !candidates_.empty() && cost > candidates_.front().cost) {
            candidates_.push_back({cost, candidate.edge, true});
            std::ranges::push_heap(candidates_, dearer);
            continue;
        }
        tree_cost_.push_back(cost);
        take(candidate.edge);
        value_ += cost;
    }
    return true;
}

void SideRelaxation::find_dearest_on_paths(const EdgeChoice& choice) {
    struct Arc {
        Vertex to;
        double cost;
    };
    std::vector<std::vector<Arc>> around(index(n_));
    for (std::size_t k = 0; k < tree_.size(); ++k) {
        const auto& [u, v, weight] = edges_[static_cast<std::size_t>(tree_[k])];
        const double cost = k < choice.included.size() ? -no_tree : tree_cost_[k];  // included ones stay
        around[index(u)].push_back({v, cost});
        around[index(v)].push_back({u, cost});
    }
    std::vector<std::pair<Vertex, Vertex>> open;  // vertex, where from
    for (Vertex start = 0; start < n_; ++start) {
        double* dearest = dearest_[index(start)];
        dearest[start] = -no_tree;
        open.assign(1, {start, no_vertex});
        while (!open.empty()) {
            const auto [at, from] = open.back();
            open.pop_back();
            for (const auto& [to, cost] : around[index(at)]) {
                if (to == from) continue;
                dearest[to] = std::max(dearest[at], cost);
                open.emplace_back(to, at);
            }
        }
    }
}

bool SideRelaxation::drop_dear(double slack, EdgeChoice& choice, const StopToken& stop) {
    find_dearest_on_paths(choice);
    std::vector<char> is_in_tree(edges_.size(), 0);
    for (const int edge : tree_) is_in_tree[static_cast<std::size_t>(edge)] = 1;
    std::vector<int> kept;
    bool in_time = true;
    for (const int place : choice.open) {
        const WeightedEdge& edge = edges_[static_cast<std::size_t>(place)];
        const double enough = dearest_[index(edge.u)][edge.v] + slack - degree_price(edge);
        Known& known = known_[static_cast<std::size_t>(place)];
        in_time = in_time && !stop.expired();
        if (!is_in_tree[static_cast<std::size_t>(place)] && in_time && known.cost < enough) {
            known.cost = costs_.least(edge, side_);
        }
        if (is_in_tree[static_cast<std::size_t>(place)] || known.cost < enough) kept.push_back(place);
    }
    choice.open = std::move(kept);
    return in_time;
}

}  // namespace neuroprim
