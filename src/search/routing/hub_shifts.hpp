#pragma once

#include <vector>

#include "graph/stop_token.hpp"
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
    /// One round over the hubs near which something changed at the time `since` or later; true when the tree got
    /// cheaper. Shifts away from different hubs do not meddle with each other, as long as no hub lost or gained a
    /// neighbour before its turn: it waits for the next round then.
    bool improve(RoutingTree& tree, const Lengths& lengths, std::int64_t since, Random& random,
                 const StopToken& stop);

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

    bool improve_at(RoutingTree& tree, const Lengths& lengths, Vertex hub, Random& random, const StopToken& stop);
    void gather(const RoutingTree& tree, Vertex hub);
    void choose_targets(const RoutingTree& tree, Random& random);
    [[nodiscard]] double settle(const Spoke& to, double total);

    std::vector<Spoke> spokes_;
    std::vector<std::size_t> targets_;
    std::vector<double> detour_;  // (spokes) load · (w(x, v) − w(x, h)), for the v in question
    std::vector<char> chosen_;    // (spokes) is it in X?
    std::vector<Vertex> best_;
    std::vector<bool> touched_;  // (n)
};

}  // namespace neuroprim::routing
