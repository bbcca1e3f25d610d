#pragma once

#include <vector>

#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// Hubs that lie near `v` in the tree: the way to the root, and the hubs a step or two aside from its first part.
/// Where a tree has many hubs, moves look at these alone. O(degrees of three vertices + depth).
void find_hubs_near(const RoutingTree& tree, Vertex v, std::vector<Vertex>& hubs);

/// Did the neighbours of `hub` or of its parent change at the time `since` or later?
[[nodiscard]] inline bool changed_nearby(const RoutingTree& tree, Vertex hub, std::int64_t since) {
    const Vertex up = tree.parent(hub);
    return tree.changed_at(hub) >= since || (up != no_vertex && tree.changed_at(up) >= since);
}

/// From so many hubs on it does not pay to look at all of them.
inline constexpr std::size_t many_hubs = 150;

}  // namespace neuroprim::routing
