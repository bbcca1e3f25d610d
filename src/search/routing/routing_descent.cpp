#include "search/routing/routing_descent.hpp"

#include "search/routing/near_hubs.hpp"

namespace neuroprim::routing {

bool RoutingDescent::descend(RoutingTree& tree, const Lengths& lengths, Random& random, const StopToken& stop) {
    constexpr std::int64_t ever = 0;
    constexpr Vertex too_many_to_look_again = 3000;
    while (true) {
        const double before = tree.cost();
        if (!repair(tree, lengths, ever, random, stop)) return false;
        if (tree.size() > too_many_to_look_again || !(tree.cost() < before)) return true;
    }
}

void RoutingDescent::hang_leaves(RoutingTree& tree, const Lengths& lengths, const StopToken& stop) {
    constexpr int rounds = 5;
    for (int k = 0; k < rounds && leaves_.improve(tree, lengths, 0, stop); ++k) {
    }
}

bool RoutingDescent::repair(RoutingTree& tree, const Lengths& lengths, std::int64_t since, Random& random,
                            const StopToken& stop) {
    for (bool improved = true; improved;) {
        tree.advance_time();
        const std::int64_t began = tree.time();
        improved = leaves_.improve(tree, lengths, since, stop);
        improved = shifts_.improve(tree, lengths, since, random, stop) || improved;
        improved = improve_subtrees(tree, lengths, since, stop) || improved;
        if (stop.expired()) return false;
        since = began;
    }
    return true;
}

bool RoutingDescent::improve_subtrees(RoutingTree& tree, const Lengths& lengths, std::int64_t since,
                                      const StopToken& stop) {
    bool improved = false;
    hubs_ = tree.hubs();
    for (const Vertex hub : hubs_) {
        if (hub == tree.root() || !changed_nearby(tree, hub, since)) continue;
        if (stop.expired()) break;
        improved = subtrees_.improve(tree, lengths, hub) || improved;
    }
    return improved;
}

}  // namespace neuroprim::routing
