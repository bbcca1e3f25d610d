#include "heuristics/cheapest_growth.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "heuristics/vertex_heap.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

namespace {

/// The cheapest way known to reach an outside vertex.
struct Link {
    double weight;
    Vertex through;

    friend bool operator<(const Link& a, const Link& b) { return a.weight < b.weight; }
};

constexpr unsigned sparse_steps_between_looks = 1000;
constexpr unsigned lookups_between_looks = 100;

class CheapestGrowth {
public:
    CheapestGrowth(Construction& state, const StopToken& stop, double depth_price)
        : state_(state), stop_(stop), depth_price_(depth_price), frontier_(state.problem().size()) {
        for (const Vertex u : state_.open()) offer(u);
    }

    bool run() {
        const bool sparse = state_.problem().weights().form() == Weights::Form::sparse;
        PacedStopToken paced(stop_, sparse ? sparse_steps_between_looks : 1);
        while (!state_.may_stop()) {
            paced.check();
            if (!step() && !welcome_all()) return false;
        }
        return true;
    }

private:
    /// Rooms only ever close, so the links in the heap are never dearer than the true ones: it is enough to
    /// look for another link when a vertex with a closed one comes out first.
    bool step() {
        PacedStopToken paced(stop_, lookups_between_looks);
        while (!frontier_.empty()) {
            paced.check();
            const Vertex v = frontier_.top();
            const Link link = frontier_.key(v);
            if (!may_join(link.through, v)) {
                if (const auto other = cheapest_link(v)) {
                    frontier_.set(v, *other);
                } else {
                    frontier_.pop();
                }
                continue;
            }
            frontier_.pop();
            if (!state_.problem().lookahead_allows(state_, v)) {
                waiting_.emplace_back(v, link);
                continue;
            }
            state_.add(link.through, v);
            for (const auto& [other, its_link] : waiting_) frontier_.set(other, its_link);
            waiting_.clear();
            if (state_.is_open(v)) offer(v);
            return true;
        }
        return false;
    }

    /// Vertices that need not be in come last: only a rule of its own can keep a problem from being finished here.
    bool welcome_all() {
        if (all_welcome_ || state_.required_outside() > 0) return false;
        all_welcome_ = true;
        for (const Vertex u : state_.open()) offer(u);
        return true;
    }

    void offer(Vertex u) {
        const Weights& weights = state_.problem().weights();
        if (weights.form() == Weights::Form::sparse) {
            weights.for_each_neighbour(u, [&](Vertex v, double w) {
                if (!state_.contains(v)) offer(u, v, price(u, w));
            });
            return;
        }
        for (const Vertex v : state_.outside()) {
            if (const double w = weights(u, v); w < Weights::infinity) offer(u, v, price(u, w));
        }
    }

    void offer(Vertex u, Vertex v, double w) {
        if (frontier_.contains(v)) {
            const Link& known = frontier_.key(v);
            if (std::pair(known.weight, known.through) <= std::pair(w, u)) return;
        } else if (!all_welcome_ && !state_.problem().required(v)) {
            return;
        }
        frontier_.set(v, {w, u});
    }

    [[nodiscard]] bool may_join(Vertex u, Vertex v) const {
        return state_.is_open(u) && state_.problem().joins(state_, u, v);
    }

    /// What an edge from `u` is ordered by.
    [[nodiscard]] double price(Vertex u, double w) const { return w + depth_price_ * state_.depth(u); }

    [[nodiscard]] std::optional<Link> cheapest_link(Vertex v) const {
        std::optional<Link> best;
        const auto consider = [&](Vertex u, double w) {
            if (w == Weights::infinity || !may_join(u, v)) return;
            const double price_of_it = price(u, w);
            if (!best || std::pair(price_of_it, u) < std::pair(best->weight, best->through)) {
                best = Link{price_of_it, u};
            }
        };
        const Weights& weights = state_.problem().weights();
        if (weights.form() == Weights::Form::sparse) {
            weights.for_each_neighbour(v, [&](Vertex u, double w) {
                if (state_.is_open(u)) consider(u, w);
            });
        } else {
            for (const Vertex u : state_.open()) consider(u, weights(u, v));
        }
        return best;
    }

    Construction& state_;
    const StopToken& stop_;
    double depth_price_;
    VertexHeap<Link> frontier_;
    bool all_welcome_ = false;
    std::vector<std::pair<Vertex, Link>> waiting_;  // taken out of the heap because not admitted now
};

}  // namespace

bool grow_cheapest(Construction& state, const StopToken& stop, double depth_price) {
    return CheapestGrowth(state, stop, depth_price).run();
}

}  // namespace neuroprim
