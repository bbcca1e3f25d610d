#include "search/degrees/exchange_chains.hpp"

#include <algorithm>
#include <array>

namespace neuroprim::limited_degrees {

namespace {

/// How many ways are tried at each level of a chain.
constexpr std::array<std::size_t, 4> breadth = {5, 3, 2, 1};

constexpr std::size_t most_walked = 100;

/// Keeps the `most` lightest changes, lightest first.
void keep_best(std::vector<Relief>& list, const Relief& relief, std::size_t most) {
    if (list.size() == most && relief.change >= list.back().change) return;
    const auto place = std::upper_bound(list.begin(), list.end(), relief,
                                        [](const Relief& a, const Relief& b) { return a.change < b.change; });
    list.insert(place, relief);
    if (list.size() > most) list.pop_back();
}

}  // namespace

ExchangeChains::ExchangeChains(const Weights& weights, const NearEdges& near, std::span<const int> limits,
                               const Tree& tree)
    : near_(&near), tree_(tree, weights), finder_(near, limits), extent_(most_walked), queue_(weights.size()) {
    double heaviest = 0;
    for (Vertex v = 0; v < tree_.size(); ++v) {
        queue_.push(v);
        heaviest = std::max(heaviest, tree_.parent_weight(v));
    }
    least_gain_ = 1e-12 * heaviest;
}

bool ExchangeChains::descend(const StopToken& stop) {
    const bool finished = settle(stop);
    done_.clear();
    return finished;
}

bool ExchangeChains::perturb(Random& random, const StopToken& stop) {
    const double before = gained_;
    const int exchanges = 1 + static_cast<int>(random.below(2));
    for (int k = 0; k < exchanges; ++k) exchange_at_random(random);
    const bool finished = settle(stop);
    if (!finished || gained_ < before) {
        undo_to(0);
        gained_ = before;
        queue_.clear();
    }
    done_.clear();
    return finished;
}

void ExchangeChains::shake(Random& random, int exchanges) {
    for (int k = 0; k < exchanges; ++k) exchange_at_random(random);
    done_.clear();
}

bool ExchangeChains::settle(const StopToken& stop) {
    for (unsigned looked = 0; !queue_.empty(); ++looked) {
        if (looked % 4 == 3 && stop.expired()) return false;
        improve(queue_.pop());  // and queues its ends again when there was something to improve
    }
    return true;
}

void ExchangeChains::carry_out(const Relief& relief) {
    const double leaving = tree_.parent_weight(relief.exchange.top);
    done_.push_back({relief.exchange, tree_.exchange(relief.exchange, relief.entering), leaving});
    gained_ -= relief.change;
}

void ExchangeChains::push_ends(std::size_t since) {
    for (std::size_t k = since; k < done_.size(); ++k) {
        const auto& [made, undo, weight] = done_[k];
        for (const Vertex v : {made.inner, made.outer, undo.inner, undo.outer}) queue_.push(v);
    }
}

void ExchangeChains::undo_to(std::size_t kept) {
    for (; done_.size() > kept; done_.pop_back()) tree_.exchange(done_.back().undo, done_.back().weight);
}

double ExchangeChains::path_weight(std::span<const Vertex> path, std::size_t edge) const {
    return tree_.parent_weight(edge < tree_.path_top() ? path[edge] : path[edge + 1]);
}

Relief ExchangeChains::replacing(Vertex a, Vertex b, double weight, std::span<const Vertex> path,
                                 std::size_t edge) const {
    Relief relief;
    relief.exchange = edge < tree_.path_top() ? EdgeExchange{a, b, path[edge]} : EdgeExchange{b, a, path[edge + 1]};
    relief.entering = weight;
    relief.change = weight - path_weight(path, edge);
    const std::size_t last = path.size() - 2;
    if (edge != 0 && finder_.full(tree_, a)) relief.overloaded = a;
    if (edge != last && finder_.full(tree_, b)) relief.overloaded = b;
    return relief;
}

/// The best exchange that brings an edge of `a` in and leaves no excess, and the best that leave one.
void ExchangeChains::collect_openings(Vertex a) {
    openings_.clear();
    best_closed_ = {};
    best_closed_.change = -least_gain_;
    const bool full_a = finder_.full(tree_, a);
    const auto take = [&](const Relief& relief) {
        if (relief.change >= -least_gain_) return;
        if (relief.overloaded != no_vertex) {
            keep_best(openings_, relief, breadth.front());
        } else if (relief.change < best_closed_.change) {
            best_closed_ = relief;
        }
    };
    for (const auto& [b, weight] : near_->of(a)) {
        if (tree_.has_edge(a, b)) continue;
        const bool full_b = finder_.full(tree_, b);
        const auto path = tree_.path(a, b);
        const std::size_t last = path.size() - 2;
        if (!(full_a && full_b)) {
            std::size_t heaviest = 0;
            for (std::size_t k = 1; k <= last; ++k) {
                if (path_weight(path, k) > path_weight(path, heaviest)) heaviest = k;
            }
            take(replacing(a, b, weight, path, heaviest));
        }
        if (full_a) take(replacing(a, b, weight, path, 0));
        if (full_b) take(replacing(a, b, weight, path, last));
    }
}

void ExchangeChains::improve(Vertex v) {
    collect_openings(v);
    const std::size_t before = done_.size();
    bool found = best_closed_.change < -least_gain_;
    if (found) {
        carry_out(best_closed_);
    } else {
        found = try_each(openings_, 0, 0);
    }
    if (found) push_ends(before);
}

bool ExchangeChains::try_each(std::span<const Relief> openings, double gain, std::size_t level) {
    for (const Relief& opening : openings) {
        const std::size_t kept = done_.size();
        const double before = gained_;
        carry_out(opening);
        if (deepen(opening.overloaded, gain - opening.change, level + 1)) return true;
        undo_to(kept);
        gained_ = before;
    }
    return false;
}

bool ExchangeChains::deepen(Vertex c, double gain, std::size_t level) {
    std::vector<Relief> open;
    Relief closed;
    closed.change = gain - least_gain_;
    finder_.for_each(tree_, c, extent_, gain - least_gain_, [&](const Relief& relief) {
        if (relief.overloaded == no_vertex) {
            if (relief.change < closed.change) closed = relief;
        } else if (level < breadth.size()) {
            keep_best(open, relief, breadth[level]);
        }
    });
    if (closed.change < gain - least_gain_) {
        carry_out(closed);
        return true;
    }
    return try_each(open, gain, level);
}

/// Brings some near edge in; where that leaves an excess, the lightest change that ends it follows. False, and
/// nothing has changed, when there is none.
bool ExchangeChains::exchange_at_random(Random& random) {
    const auto a = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(tree_.size())));
    const auto near = near_->of(a);
    if (near.empty()) return false;
    const auto& [b, weight] = near[random.below(std::min<std::size_t>(near.size(), 8))];
    if (tree_.has_edge(a, b)) return false;
    const auto path = tree_.path(a, b);
    const std::size_t edges = path.size() - 1;
    std::size_t edge = random.below(edges);
    if (finder_.full(tree_, a) && finder_.full(tree_, b)) edge = random.below(2) == 0 ? 0 : edges - 1;
    const Relief opening = replacing(a, b, weight, path, edge);
    const std::size_t kept = done_.size();
    const double before = gained_;
    carry_out(opening);
    if (opening.overloaded == no_vertex) {
        push_ends(kept);
        return true;
    }
    Relief closed;
    closed.change = Weights::infinity;
    finder_.for_each(tree_, opening.overloaded, extent_, Weights::infinity, [&](const Relief& relief) {
        const bool takes_back = relief.exchange.top == opening.exchange.inner &&
                                tree_.parent(opening.exchange.inner) == opening.exchange.outer;
        if (relief.overloaded == no_vertex && !takes_back && relief.change < closed.change) closed = relief;
    });
    if (closed.change < Weights::infinity) {
        carry_out(closed);
        push_ends(kept);
        return true;
    }
    undo_to(kept);
    gained_ = before;
    return false;
}

}  // namespace neuroprim::limited_degrees
