#pragma once

#include <span>
#include <utility>
#include <vector>

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

    /// The best way to join the subtree of `lower` again; a gain of 0 when there is none better. Metric: O(pairs of
    /// hubs) and the leaves that cannot be ruled out; of very many hubs only those near in the tree. Otherwise: O(n
    /// log n) and the pairs, or edges, that cannot.
    [[nodiscard]] Move best(const RoutingTree& tree, const Lengths& lengths, Vertex lower);

    /// Moves to it if it is better.
    bool improve(RoutingTree& tree, const Lengths& lengths, Vertex lower);

private:
    using Ends = std::vector<std::pair<double, Vertex>>;  // (what the end costs alone, vertex)

    /// What crosses when the subtree of a vertex is cut off, and what it costs now.
    struct Cut {
        Vertex lower;
        double inner;  // mass of the subtree
        double outer;  // mass of the rest
        double now;
    };

    [[nodiscard]] Cut cut_above(const RoutingTree& tree, Vertex lower) const;
    void sum_inside(const RoutingTree& tree, const Cut& cut, std::span<const Vertex> vertices);
    void sum_outside(const RoutingTree& tree, const Cut& cut, std::span<const Vertex> before,
                     std::span<const Vertex> after);

    void gather_all_hubs(const RoutingTree& tree, const Cut& cut);
    void gather_near_hubs(const RoutingTree& tree, const Cut& cut);
    [[nodiscard]] Move best_near_hubs(const RoutingTree& tree, const Lengths& lengths, const Cut& cut);
    void try_leaves(const RoutingTree& tree, const Lengths& lengths, const Cut& cut, const Ends::value_type& outside,
                    const Ends::value_type& inside, Move& move);
    [[nodiscard]] Move best_pair(const RoutingTree& tree, const Lengths& lengths, const Cut& cut);
    [[nodiscard]] Move best_edge(const RoutingTree& tree, const Lengths& lengths, const Cut& cut);

    std::vector<double> sum_;  // (n) S_A outside, S_B inside; of hubs only, in metric graphs
    std::vector<bool> above_;  // (n) is it an ancestor of the subtree in question?
    std::vector<double> slack_outside_;
    std::vector<double> slack_inside_;
    Ends inside_;
    Ends outside_;
    Ends inside_leaves_;
    Ends outside_leaves_;
    std::vector<Vertex> near_;
};

}  // namespace neuroprim::routing
