#pragma once

#include <vector>

#include "search/iterated_local_search.hpp"

namespace neuroprim::routing {

/// Iterated local search over trees that are told by the parents of their vertices.
class PerturbationWorker : public IteratedLocalSearch {
public:
    explicit PerturbationWorker(Random random) : IteratedLocalSearch(random) {}

    void adopt(const Tree& tree) final;
    [[nodiscard]] double cost() const final { return best_cost_; }
    [[nodiscard]] Tree tree() const final;

protected:
    virtual void load(const Tree& tree) = 0;
    [[nodiscard]] virtual const std::vector<Vertex>& parents() const = 0;
    virtual void restore(const std::vector<Vertex>& parents) = 0;

    /// Goes down from a local optimum that was perturbed. May look only where it was.
    virtual bool repair_part(Random& random, const StopToken& stop) { return descend(random, stop); }

private:
    [[nodiscard]] bool can_descend() const final { return best_.size() >= 3; }
    bool repair(Random& random, const StopToken& stop) final;
    [[nodiscard]] bool accepts(double before, Random& random) const final;
    void remember() final { before_ = parents(); }
    void go_back() final { restore(before_); }
    void keep_if_best() final;

    std::vector<Vertex> best_;  // (n) parents
    double best_cost_ = 0;
    std::vector<Vertex> before_;
};

}  // namespace neuroprim::routing
