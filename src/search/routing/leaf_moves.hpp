#pragma once

#include <vector>

#include "graph/stop_token.hpp"
#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// Hangs leaves from better vertices.
///
/// A leaf c of mass m that hangs from p costs m · (S(u) − m · d(u, p) + (M − m) · w(u, c)), up to a constant, when it
/// hangs from u instead: S(u) is the sum of distances in the tree as it is. Where the triangle inequality holds,
/// w(u, c) ≥ w(u, p) − w(p, c) rules most u out for all leaves of p at once.
class LeafMoves {
public:
    /// One round over the leaves of hubs near which something changed at the time `since` or later. True when the
    /// tree got cheaper by more than rounding. O(n · hubs) at worst, far less where the triangle inequality holds.
    bool improve(RoutingTree& tree, const Lengths& lengths, std::int64_t since, const StopToken& stop);

private:
    /// Where the leaves of one vertex may hang.
    struct Target {
        Vertex vertex;
        double sum;       // S
        double distance;  // in the tree, from the vertex in question
        double least;     // what a leaf would pay at least, less its own part: see `best_parent`
    };

    void find_all_distances(const RoutingTree& tree, const Lengths& lengths, Vertex from);
    void find_targets(const RoutingTree& tree, const Lengths& lengths, Vertex from);
    void look_from(const RoutingTree& tree, const Lengths& lengths, Vertex parent);
    [[nodiscard]] Vertex best_parent(const RoutingTree& tree, const Lengths& lengths, Vertex leaf,
                                     double& gain) const;
    bool move_all(RoutingTree& tree);

    std::vector<Vertex> near_;
    std::vector<double> distance_;  // (n) from the vertex in question
    std::vector<Target> targets_;
    std::vector<Edge> moves_;    // (leaf, new parent)
    std::vector<double> gains_;  // of each move alone
    std::vector<Vertex> kept_parents_;
};

}  // namespace neuroprim::routing
