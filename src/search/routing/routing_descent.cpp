#include "search/routing/routing_descent.hpp"

#include "search/routing/near_hubs.hpp"

namespace neuroprim::routing {

bool RoutingDescent::descend(RoutingTree& tree, const Lengths& lengths, Random& random, const Watch& watch) {
    constexpr std::int64_t ever = 0;
    constexpr Vertex too_many_to_look_again = 3000;
    while (true) {
        const double before = tree.cost();
        if (!repair(tree, lengths, ever, random, watch)) return false;
        if (tree.size() > too_many_to_look_again || !(tree.cost() < before)) return true;
    }
}

void RoutingDescent::hang_leaves(RoutingTree& tree, const Lengths& lengths, const Watch& watch) {
    constexpr int rounds = 5;
    for (int k = 0; k < rounds && leaves_.improve(tree, lengths, 0, watch); ++k) {
    }
}

bool RoutingDescent::repair(RoutingTree& tree, const Lengths& lengths, std::int64_t since, Random& random,
                            const Watch& watch) {
    for (bool improved = true; improved;) {
        tree.advance_time();
        const std::int64_t began = tree.time();
        improved = leaves_.improve(tree, lengths, since, watch);
        improved = shifts_.improve(tree, lengths, since, random, watch) || improved;
        improved = improve_subtrees(tree, lengths, since, watch) || improved;
        if (watch.expired()) return false;
        since = began;
    }
    return true;
}

bool RoutingDescent::improve_subtrees(RoutingTree& tree, const Lengths& lengths, std::int64_t since,
                                      const Watch& watch) {
    bool improved = false;
    hubs_ = tree.hubs();
    for (const Vertex hub : hubs_) {
        if (hub == tree.root() || !changed_nearby(tree, hub, since)) continue;
        if (watch.expired()) break;
        improved = subtrees_.improve(tree, lengths, hub) || improved;
    }
    return improved;
}

}  // namespace neuroprim::routing
