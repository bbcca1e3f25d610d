#include "search/closure/free_ways.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace neuroprim {

FreeWays::FreeWays(const Weights& weights, std::vector<int> place, std::vector<double> surcharge, Prices prices)
    : weights_(&weights),
      place_(std::move(place)),
      surcharge_(std::move(surcharge)),
      prices_(prices),
      price_(place_.size(), Weights::infinity),
      weight_(place_.size(), Weights::infinity),
      before_(place_.size(), no_vertex) {
    const int last = place_.empty() ? free : *std::max_element(place_.begin(), place_.end());
    const int places = std::max(last, free) + 1;
    is_met_.assign(static_cast<std::size_t>(places), 0);
    passes_.assign(is_met_.size(), 0);
}

void FreeWays::search(std::span<const Vertex> sources, const std::function<bool(Vertex)>& is_enough, double factor) {
    for (const Vertex v : touched_) price_[index(v)] = weight_[index(v)] = Weights::infinity;
    touched_.clear();
    reached_.clear();
    met_.clear();
    std::fill(is_met_.begin(), is_met_.end(), 0);
    const auto surcharge = [&](Vertex v) { return surcharge_.empty() ? 0 : surcharge_[index(v)]; };
    const int own = place(sources.front());
    std::size_t parts_left = is_met_.size() - (own >= 0 ? 1 : 0);

    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto label = [&](Vertex v, double price, double weight, Vertex before) {
        if (price >= price_[index(v)]) return;
        if (price_[index(v)] == Weights::infinity) touched_.push_back(v);
        price_[index(v)] = price;
        weight_[index(v)] = weight;
        before_[index(v)] = before;
        queue.emplace(price, v);
    };
    for (const Vertex v : sources) label(v, factor * surcharge(v), 0, no_vertex);
    while (!queue.empty() && (parts_left > 0 || own < 0 || is_enough)) {
        const auto [price, u] = queue.top();
        queue.pop();
        if (price > price_[index(u)]) continue;
        const bool is_source = before_[index(u)] == no_vertex;
        if (!is_source && place(u) >= 0) {
            char& is_met = is_met_[static_cast<std::size_t>(place(u))];
            if (is_met == 0) {
                met_.push_back(u);
                --parts_left;
            }
            is_met = 1;
            if (passes_[static_cast<std::size_t>(place(u))] == 0) continue;
        } else if (!is_source) {
            reached_.push_back(u);
            if (is_enough && is_enough(u)) return;
        }
        weights_->for_each_neighbour(u, [&, from = u, base = price](Vertex v, double weight) {
            if (place(v) == closed || (own >= 0 && place(v) == own)) return;
            const double added =
                weight + factor * (prices_.edge + prices_.weight * weight + (place(v) >= 0 ? surcharge(v) : 0));
            label(v, base + added, weight_[index(from)] + weight, from);
        });
    }
}

std::vector<Vertex> FreeWays::way_back(Vertex v) const {
    std::vector<Vertex> way = {v};
    while (before_[index(way.back())] != no_vertex) way.push_back(before_[index(way.back())]);
    return way;
}

}  // namespace neuroprim
