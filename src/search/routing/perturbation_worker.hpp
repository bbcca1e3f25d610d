#pragma once

#include <vector>

#include "neuroprim/random.hpp"
#include "search/local_search.hpp"

namespace neuroprim::routing {

/// Descends, then again and again perturbs a part of the tree and descends. What that means for the tree at hand is
/// said by those who derive from it.
class PerturbationWorker : public SearchWorker {
public:
    explicit PerturbationWorker(Random random) : random_(random) {}

    void adopt(const Tree& tree) final;
    std::int64_t run(std::int64_t steps, const StopToken& stop) final;
    [[nodiscard]] double cost() const final { return best_cost_; }
    [[nodiscard]] Tree tree() const final;

protected:
    virtual void load(const Tree& tree) = 0;
    [[nodiscard]] virtual const std::vector<Vertex>& parents() const = 0;
    virtual void restore(const std::vector<Vertex>& parents) = 0;
    [[nodiscard]] virtual double cost_now() const = 0;
    virtual void perturb_tree(Random& random) = 0;

    /// Goes down to a local optimum. False when the stop token expired first.
    virtual bool descend(Random& random, const StopToken& stop) = 0;

    /// Goes down from a local optimum that was perturbed. May look only where it was.
    virtual bool repair(Random& random, const StopToken& stop) { return descend(random, stop); }

private:
    void keep_if_best();

    Random random_;
    bool settled_ = false;      // is the tree a local optimum?
    std::vector<Vertex> best_;  // (n) parents
    double best_cost_ = 0;
    std::vector<Vertex> before_;
};

}  // namespace neuroprim::routing
