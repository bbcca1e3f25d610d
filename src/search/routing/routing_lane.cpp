#include "search/routing/routing_lane.hpp"

#include "search/routing/upheaval.hpp"

namespace neuroprim::routing {

RoutingLane::RoutingLane(const Lengths& lengths, std::vector<double> masses, Random random)
    : PerturbingLane(random), lengths_(&lengths), now_(lengths, std::move(masses)) {}

void RoutingLane::upset_tree(Random& random) {
    now_.advance_time();
    upset_at_ = now_.time();
    upset(now_, *lengths_, random);
}

bool RoutingLane::descend(Random& random, const Watch& watch) {
    return descent_.descend(now_, *lengths_, random, watch);
}

bool RoutingLane::repair(Random& random, const Watch& watch) {
    return descent_.repair(now_, *lengths_, upset_at_, random, watch);
}

}  // namespace neuroprim::routing
