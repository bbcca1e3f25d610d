#pragma once

#include <cstdint>
#include <vector>

#include "graph/watch.hpp"
#include "search/routing/hub_shifts.hpp"
#include "search/routing/leaf_moves.hpp"
#include "search/routing/subtree_moves.hpp"

namespace neuroprim::routing {

/// Leaf moves, hub shifts and subtree moves till none of them makes the tree cheaper.
class RoutingDescent {
public:
    /// False when the watch expired first; the tree is whole then too, and no dearer than it was.
    bool descend(RoutingTree& tree, const Lengths& lengths, Random& random, const Watch& watch);

    /// The same, but looks only where neighbours changed at the tree's time `since` or later, and where that leads.
    bool repair(RoutingTree& tree, const Lengths& lengths, std::int64_t since, Random& random, const Watch& watch);

    /// Leaf moves alone, a few rounds of them.
    void hang_leaves(RoutingTree& tree, const Lengths& lengths, const Watch& watch);

private:
    bool improve_subtrees(RoutingTree& tree, const Lengths& lengths, std::int64_t since, const Watch& watch);

    LeafMoves leaves_;
    HubShifts shifts_;
    SubtreeMoves subtrees_;
    std::vector<Vertex> hubs_;
};

}  // namespace neuroprim::routing
