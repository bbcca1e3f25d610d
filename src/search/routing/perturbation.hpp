#pragma once

#include "neuroprim/random.hpp"
#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// Changes a part of the tree at random, whatever that costs, in a way that no descent would undo at once: a vertex
/// becomes the hub of what is near it, a hub dissolves into its neighbour, or subtrees hang from elsewhere. O(n).
void perturb(RoutingTree& tree, const Lengths& lengths, Random& random);

}  // namespace neuroprim::routing
