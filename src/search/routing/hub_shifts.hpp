#pragma once

#include <vector>

#include "neuroprim/random.hpp"
#include "search/routing/routing_tree.hpp"

namespace neuroprim::routing {

/// Moves some neighbours X of a hub h over to another neighbour v of it: a new hub, a hub that wanders or dissolves,
/// a better share between two.
///
/// An edge with the mass s behind it carries s · (M − s). Behind the moved edges nothing changes, so the cost changes
/// by Σ_X load(x) · (w(x, v) − w(x, h)), and by what hv carries more or less: exact, and O(degree) to know.
class HubShifts {
public:
    /// The best shift found away from `hub` if it is better than none. Tries neighbours v up to a number, leaves
    /// drawn at random where there are more. O(degree) each.
    bool improve(RoutingTree& tree, const Lengths& lengths, Vertex hub, Random& random);

    /// What the shift of `moved` would add to the cost. O(degree).
    [[nodiscard]] double change(const RoutingTree& tree, const Lengths& lengths, Vertex hub, Vertex to,
                                const std::vector<Vertex>& moved);

private:
    struct Spoke {
        Vertex end;
        double mass;    // behind it
        double load;    // mass · (M − mass)
        double length;  // to the hub
    };

    void gather(const RoutingTree& tree, Vertex hub);
    void choose_targets(const RoutingTree& tree, Random& random);
    [[nodiscard]] double settle(const Spoke& to, double total);

    std::vector<Spoke> spokes_;
    std::vector<std::size_t> targets_;
    std::vector<double> detour_;  // (spokes) load · (w(x, v) − w(x, h)), for the v in question
    std::vector<char> chosen_;    // (spokes) is it in X?
    std::vector<Vertex> moved_;
    std::vector<Vertex> best_;
};

}  // namespace neuroprim::routing
