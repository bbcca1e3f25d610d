#include "search/routing/routing_lane.hpp"

#include "search/routing/upheaval.hpp"

namespace neuroprim::routing {

RoutingLane::RoutingLane(const Lengths& lengths, std::vector<double> masses, Random random)
    : PerturbingLane(random), lengths_(&lengths), now_(lengths, std::move(masses)) {}

void RoutingLane::upset_tree(Random& random) {
    upset(now_, *lengths_, random);
}

bool RoutingLane::descend(Random& random, const Watch& watch) {
    return descent_.descend(now_, *lengths_, random, watch);
}

}  // namespace neuroprim::routing
