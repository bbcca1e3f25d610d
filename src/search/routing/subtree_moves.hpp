#pragma once

#include <utility>
#include <vector>

#include "neuroprim/random.hpp"
#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// Cuts a subtree off and joins it again by the best edge of all.
///
/// With the parts A and B, their masses and the sums S_A, S_B of distances inside them, what crosses costs
/// |B| · S_A(u) + |A| · S_B(v) + |A| · |B| · w(u, v) over the edge uv. Since w ≥ 0, few u and v can do better than
/// now.
class SubtreeMoves {
public:
    struct Move {
        Vertex lower = no_vertex;
        Vertex inside = no_vertex;   // in the subtree of lower
        Vertex outside = no_vertex;  // not in it
        double gain = 0;
    };

    /// The best way to join the subtree of `lower` again; a gain of 0 when there is none. O(n) and the pairs that can
    /// be better: all of them in a small tree, a random part in a large one.
    [[nodiscard]] Move best(const RoutingTree& tree, const Lengths& lengths, Vertex lower, Random& random);

    /// Moves to it if it is better.
    bool improve(RoutingTree& tree, const Lengths& lengths, Vertex lower, Random& random);

private:
    using Ends = std::vector<std::pair<double, Vertex>>;  // (what the end costs alone, vertex)

    void sum_inside(const RoutingTree& tree, Vertex lower);
    void sum_outside(const RoutingTree& tree, Vertex lower);
    void thin_out(const RoutingTree& tree, Ends& ends, Random& random) const;
    [[nodiscard]] Move best_pair(const RoutingTree& tree, const Lengths& lengths, Vertex lower, Random& random);
    [[nodiscard]] Move best_edge(const RoutingTree& tree, const Lengths& lengths, Vertex lower);

    std::vector<double> sum_;  // (n) S_A outside, S_B inside
    std::vector<bool> above_;  // (n) is it an ancestor of the subtree in question?
    Ends inside_;
    Ends outside_;
};

}  // namespace neuroprim::routing
