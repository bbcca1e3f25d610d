#pragma once

#include <cstdint>

#include "neuroprim/random.hpp"
#include "search/local_search.hpp"

namespace neuroprim {

/// Iterated local search. It descends to a local optimum; then again and again it perturbs the tree, descends, and
/// decides whether to go on from there or from where it was. What that means for the tree at hand is said by those
/// who derive from it.
class IteratedLocalSearch : public SearchWorker {
public:
    std::int64_t run(std::int64_t steps, const StopToken& stop) final;

protected:
    explicit IteratedLocalSearch(Random random) : random_(random) {}

    /// The tree at hand is another one, which may be no local optimum.
    void begin_anew() { settled_ = false; }

    /// Is there anything to choose from?
    [[nodiscard]] virtual bool can_descend() const { return true; }
    [[nodiscard]] virtual bool can_perturb() const { return true; }

    /// What the tree at hand costs.
    [[nodiscard]] virtual double cost_now() const = 0;

    /// Goes down to a local optimum. False when the stop token expired first.
    virtual bool descend(Random& random, const StopToken& stop) = 0;

    virtual void perturb(Random& random, const StopToken& stop) = 0;

    /// Goes down from a local optimum that was perturbed. May look only where it was.
    virtual bool repair(Random& random, const StopToken& stop) { return descend(random, stop); }

    /// Is the tree at hand good enough to go on from, after one of cost `before`?
    [[nodiscard]] virtual bool accepts(double before, Random& random) const = 0;

    virtual void remember() = 0;  ///< the tree at hand
    virtual void go_back() = 0;   ///< to the tree that was remembered
    virtual void keep_if_best() = 0;

private:
    Random random_;
    bool settled_ = false;  // is the tree a local optimum?
};

}  // namespace neuroprim
