#include "search/routing/routing_lane.hpp"

#include <chrono>
#include <cmath>

#include "search/routing/crowds.hpp"
#include "search/routing/upheaval.hpp"

namespace neuroprim::routing {

namespace {

/// Expires earlier, where there is a deadline: what comes after the crowds needs time too.
Watch share_of(const Watch& watch) {
    constexpr double share = 0.4;
    const double left = watch.seconds_left();
    if (!std::isfinite(left)) return watch;
    const auto duration =
        std::chrono::duration_cast<Watch::Clock::duration>(std::chrono::duration<double>(share * left));
    return Watch(Watch::Clock::now() + duration, [&watch] { return watch.expired(); });
}

}  // namespace

RoutingLane::RoutingLane(const Lengths& lengths, std::vector<double> masses, Random random)
    : PerturbingLane(random), lengths_(&lengths), now_(lengths, std::move(masses)) {}

void RoutingLane::upset_tree(Random& random) {
    now_.advance_time();
    upset_at_ = now_.time();
    upset(now_, *lengths_, random);
}

/// Goes on from a tree of crowds if that is cheaper.
void RoutingLane::begin_with_crowds(const Random& random, const Watch& watch) {
    constexpr Vertex many_points = 3000;
    constexpr std::size_t most_crowds = 600;
    constexpr std::int64_t steps = 3000;
    if (crowds_tried_ || !lengths_->metric() || now_.size() < many_points) return;
    crowds_tried_ = true;
    const std::vector<Vertex> given = now_.parents();
    const double cost = now_.cost();
    const std::size_t crowds = std::min(most_crowds, index(now_.size()) / 20);
    now_.restore(tree_of_crowds(lengths_->weights(), crowds, steps, random, share_of(watch)));
    descent_.hang_leaves(now_, *lengths_, watch);
    if (now_.cost() > cost) now_.restore(given);
}

bool RoutingLane::descend(Random& random, const Watch& watch) {
    begin_with_crowds(random, watch);
    return descent_.descend(now_, *lengths_, random, watch);
}

bool RoutingLane::repair(Random& random, const Watch& watch) {
    return descent_.repair(now_, *lengths_, upset_at_, random, watch);
}

}  // namespace neuroprim::routing
