#pragma once

#include <cstdint>
#include <vector>

#include "graph/stop_token.hpp"
#include "search/routing/hub_shifts.hpp"
#include "search/routing/leaf_moves.hpp"
#include "search/routing/subtree_moves.hpp"

namespace neuroprim::routing {

/// Leaf moves, hub shifts and subtree moves till none of them makes the tree cheaper.
class RoutingDescent {
public:
    /// False when the stop token expired first; the tree is whole then too, and no dearer than it was.
    bool descend(RoutingTree& tree, const Lengths& lengths, Random& random, const StopToken& stop);

    /// The same, but looks only where neighbours changed at the tree's time `since` or later, and where that leads.
    bool repair(RoutingTree& tree, const Lengths& lengths, std::int64_t since, Random& random, const StopToken& stop);

    /// Leaf moves alone, a few rounds of them.
    void hang_leaves(RoutingTree& tree, const Lengths& lengths, const StopToken& stop);

private:
    bool improve_subtrees(RoutingTree& tree, const Lengths& lengths, std::int64_t since, const StopToken& stop);

    LeafMoves leaves_;
    HubShifts shifts_;
    SubtreeMoves subtrees_;
    std::vector<Vertex> hubs_;
};

}  // namespace neuroprim::routing
