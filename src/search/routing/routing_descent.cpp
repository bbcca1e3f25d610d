#include "search/routing/routing_descent.hpp"

namespace neuroprim::routing {

bool RoutingDescent::descend(RoutingTree& tree, const Lengths& lengths, Random& random, const Watch& watch) {
    for (bool improved = true; improved;) {
        while (leaves_.improve(tree, lengths, watch)) {
        }
        improved = shifts_.improve(tree, lengths, random, watch);
        improved = improve_subtrees(tree, lengths, watch) || improved;
        if (watch.expired()) return false;
    }
    return true;
}

bool RoutingDescent::improve_subtrees(RoutingTree& tree, const Lengths& lengths, const Watch& watch) {
    bool improved = false;
    hubs_ = tree.hubs();
    for (const Vertex hub : hubs_) {
        if (watch.expired()) break;
        if (hub == tree.root()) continue;
        improved = subtrees_.improve(tree, lengths, hub) || improved;
    }
    return improved;
}

}  // namespace neuroprim::routing
