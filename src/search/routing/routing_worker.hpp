#pragma once

#include <vector>

#include "search/routing/perturbation_worker.hpp"
#include "search/routing/routing_descent.hpp"

namespace neuroprim::routing {

/// Polishes trees for routing cost. With very many points it first tries a tree of its own, one of clusters of them.
class RoutingWorker final : public PerturbationWorker {
public:
    /// `lengths` must outlive it.
    RoutingWorker(const Lengths& lengths, std::vector<double> masses, Random random);

private:
    void load(const Tree& tree) override { now_.load(tree); }
    [[nodiscard]] const std::vector<Vertex>& parents() const override { return now_.parents(); }
    void restore(const std::vector<Vertex>& parents) override { now_.restore(parents); }
    [[nodiscard]] double cost_now() const override { return now_.cost(); }
    void perturb(Random& random, const StopToken& stop) override;
    bool descend(Random& random, const StopToken& stop) override;
    bool repair_part(Random& random, const StopToken& stop) override;

    void begin_with_clusters(const Random& random, const StopToken& stop);

    const Lengths* lengths_;
    RoutingTree now_;
    RoutingDescent descent_;
    std::int64_t perturbed_at_ = 0;
    bool clusters_tried_ = false;
};

}  // namespace neuroprim::routing
