#pragma once

#include <vector>

#include "search/routing/communication_tree.hpp"
#include "search/routing/perturbation_worker.hpp"

namespace neuroprim::routing {

/// Polishes trees for communication cost: exchanges of an edge by the best other one, till none is better.
class CommunicationWorker final : public PerturbationWorker {
public:
    /// What it is given must outlive it.
    CommunicationWorker(const Lengths& lengths, const Traffic& traffic, Random random);

private:
    void load(const Tree& tree) override { now_.load(tree); }
    [[nodiscard]] const std::vector<Vertex>& parents() const override { return now_.shape().parents(); }
    void restore(const std::vector<Vertex>& parents) override { now_.restore(parents); }
    [[nodiscard]] double cost_now() const override { return now_.cost(); }
    void perturb(Random& random, const StopToken& stop) override;
    bool descend(Random& random, const StopToken& stop) override;

    const Lengths* lengths_;
    CommunicationTree now_;
    std::vector<Vertex> tried_;
};

}  // namespace neuroprim::routing
