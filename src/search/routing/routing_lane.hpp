#pragma once

#include <vector>

#include "search/routing/perturbing_lane.hpp"
#include "search/routing/routing_descent.hpp"

namespace neuroprim::routing {

/// Polishes trees for routing cost. With very many points it first tries a tree of its own, one of crowds of them.
class RoutingLane final : public PerturbingLane {
public:
    /// `lengths` must outlive it.
    RoutingLane(const Lengths& lengths, std::vector<double> masses, Random random);

private:
    void load(const Tree& tree) override { now_.load(tree); }
    [[nodiscard]] const std::vector<Vertex>& parents() const override { return now_.parents(); }
    void restore(const std::vector<Vertex>& parents) override { now_.restore(parents); }
    [[nodiscard]] double cost_now() const override { return now_.cost(); }
    void upset_tree(Random& random) override;
    bool descend(Random& random, const Watch& watch) override;
    bool repair(Random& random, const Watch& watch) override;

    void begin_with_crowds(const Random& random, const Watch& watch);

    const Lengths* lengths_;
    RoutingTree now_;
    RoutingDescent descent_;
    std::int64_t upset_at_ = 0;
    bool crowds_tried_ = false;
};

}  // namespace neuroprim::routing
