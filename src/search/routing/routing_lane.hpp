#pragma once

#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/local_search.hpp"
#include "search/routing/routing_descent.hpp"

namespace neuroprim::routing {

/// Polishes trees for routing cost: descends, then again and again upsets a part of the tree and descends.
class RoutingLane final : public Lane {
public:
    /// `lengths` must outlive it.
    RoutingLane(const Lengths& lengths, std::vector<double> masses, Random random);

    void adopt(const Tree& tree) override;
    std::int64_t run(std::int64_t steps, const Watch& watch) override;
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override;

private:
    void keep_if_best();

    const Lengths* lengths_;
    Random random_;
    RoutingTree now_;
    RoutingDescent descent_;
    bool settled_ = false;  // is `now_` a local optimum?
    std::vector<Vertex> best_;
    double best_cost_ = 0;
    std::vector<Vertex> before_;
};

}  // namespace neuroprim::routing
