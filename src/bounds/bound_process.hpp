#pragma once

#include <memory>
#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A lower bound that gets better while it runs. Proven at every moment, up to the rounding of double arithmetic.
class BoundProcess {
public:
    virtual ~BoundProcess() = default;

    /// Does a fixed amount of work, some ten milliseconds long, knowing that a tree of cost `upper` exists. False
    /// when there is no more to gain. A stop token that expires ends it early.
    virtual bool advance(double upper, const StopToken& stop) = 0;

    /// No feasible tree is cheaper than this.
    [[nodiscard]] virtual double value() const = 0;

    /// The cheapest feasible tree met on the way, if the work meets any (exact methods do).
    [[nodiscard]] virtual std::optional<Tree> tree() const { return std::nullopt; }
};

/// The strongest bound we have for the problem, ready to run; null when there is none beyond `lower_bound`.
[[nodiscard]] std::unique_ptr<BoundProcess> make_bound_process(const Problem& problem);

}  // namespace neuroprim
