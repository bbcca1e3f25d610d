#include "search/routing/routing_lane.hpp"

#include "search/routing/upheaval.hpp"

namespace neuroprim::routing {

namespace {

/// How much worse than the best a tree may be, at most, to go on from.
constexpr double tolerated_loss = 0.004;

}  // namespace

RoutingLane::RoutingLane(const Lengths& lengths, std::vector<double> masses, Random random)
    : lengths_(&lengths), random_(random), now_(lengths, std::move(masses)) {}

void RoutingLane::adopt(const Tree& tree) {
    now_.load(tree);
    settled_ = false;
    best_ = now_.parents();
    best_cost_ = now_.cost();
}

void RoutingLane::keep_if_best() {
    if (!(now_.cost() < best_cost_)) return;
    best_ = now_.parents();
    best_cost_ = now_.cost();
}

Tree RoutingLane::tree() const {
    Tree unordered{0, {}};
    for (Vertex v = 0; v < now_.size(); ++v) {
        if (best_[index(v)] == no_vertex) {
            unordered.start = v;
        } else {
            unordered.edges.push_back({best_[index(v)], v});
        }
    }
    return grown_from(unordered, unordered.start, now_.size());
}

std::int64_t RoutingLane::run(std::int64_t steps, const Watch& watch) {
    if (now_.size() < 3) return 0;
    std::int64_t done = 0;
    if (!settled_ && steps > 0) {
        settled_ = descent_.descend(now_, *lengths_, random_, watch);
        keep_if_best();
        if (!settled_) return done;
        ++done;
    }
    for (; done < steps && !watch.expired(); ++done) {
        before_ = now_.parents();
        const double cost_before = now_.cost();
        upset(now_, *lengths_, random_);
        const bool finished = descent_.descend(now_, *lengths_, random_, watch);
        keep_if_best();
        const double tolerated = best_cost_ * (1 + tolerated_loss * random_.uniform() * random_.uniform());
        if (!finished || (now_.cost() > cost_before && now_.cost() > tolerated)) now_.restore(before_);
        if (!finished) break;
    }
    return done;
}

}  // namespace neuroprim::routing
