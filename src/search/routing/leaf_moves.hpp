#pragma once

#include <vector>

#include "graph/watch.hpp"
#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// Hangs leaves from better vertices.
///
/// A leaf c of mass m that hangs from p costs m · (S(u) − m · d(u, p) + (M − m) · w(u, c)), up to a constant, when it
/// hangs from u instead: S(u) is the sum of distances in the tree as it is. In order of S the search for u ends
/// early.
class LeafMoves {
public:
    /// One round over the leaves of hubs that changed, or whose neighbours above did, at the time `since` or later,
    /// O(n · hubs) at worst. True when the tree got cheaper, then by at least what is more than rounding.
    bool improve(RoutingTree& tree, const Lengths& lengths, std::int64_t since, const Watch& watch);

private:
    void find_distances(const RoutingTree& tree, const Lengths& lengths, Vertex from);
    void sort_targets(const RoutingTree& tree);
    void look_from(const RoutingTree& tree, const Lengths& lengths, Vertex parent);
    [[nodiscard]] Vertex best_parent(const RoutingTree& tree, const Lengths& lengths, Vertex leaf,
                                     double& gain) const;

    bool few_targets_ = false;      // those near the leaf in the tree, not all
    std::vector<Vertex> targets_;   // where leaves may hang, least sum first
    std::vector<double> distance_;  // (n) from the vertex in question; of hubs only, in metric graphs
    double farthest_ = 0;           // the largest of them
    std::vector<Edge> moves_;       // (leaf, new parent)
    std::vector<double> gains_;     // of each move alone
    std::vector<Vertex> kept_parents_;
};

}  // namespace neuroprim::routing
