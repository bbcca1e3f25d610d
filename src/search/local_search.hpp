#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// One searcher with a tree of its own. Workers of one search share nothing that changes, so they may run on threads;
/// what a worker does depends on its seed and on the trees it was given, never on the clock (unless it runs out).
class SearchWorker {
public:
    virtual ~SearchWorker() = default;

    /// Goes on from this feasible tree.
    virtual void adopt(const Tree& tree) = 0;

    /// Descends to a local optimum if it is not in one, then perturbs and repairs `steps` times, keeping the best.
    /// Returns the steps done: fewer when the stop token expired, or when nothing is left to try (the descent is a
    /// step).
    virtual std::int64_t run(std::int64_t steps, const StopToken& stop) = 0;

    /// How many threads a worker with parallel rounds may use from now on.
    virtual void use_threads(int) {}

    /// May it plan by the deadline of its stop tokens? Not unless it is told so: the answer then depends on the
    /// clock.
    virtual void use_clock(bool) {}

    /// The cheapest tree since the last `adopt`, and its cost as `Problem::cost` has it, up to rounding.
    [[nodiscard]] virtual double cost() const = 0;
    [[nodiscard]] virtual Tree tree() const = 0;
};

/// A local search prepared for one problem: what its workers only read (neighbour lists, reductions).
class LocalSearch {
public:
    virtual ~LocalSearch() = default;
    [[nodiscard]] virtual std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const = 0;

    /// How many steps take a worker some ten milliseconds: after that the workers compare what they have.
    [[nodiscard]] virtual std::int64_t steps_per_round() const = 0;

    /// What the steps of a round take of a thread, in units of ten milliseconds: the bound gets as much.
    [[nodiscard]] virtual std::int64_t slices_per_round() const { return 1; }

    /// Does one worker use all threads by itself? Then there is no second one.
    [[nodiscard]] virtual bool has_parallel_rounds() const { return false; }

    /// Rounds without a better tree after which a worker goes on from another one.
    [[nodiscard]] virtual int idle_rounds_allowed() const { return 12; }
};

/// A line of the registry (local_searches.cpp); the first that suits a problem polishes its trees.
struct LocalSearchKind {
    std::string_view name;
    std::string_view title;
    bool (*suits)(const Problem&);
    std::unique_ptr<LocalSearch> (*prepare)(const Problem&, int threads, const StopToken&);
    /// By measurement: the steps that the search must have time for, so that it ends with better trees beside a
    /// policy. Null, or nothing: there are never enough.
    std::optional<std::int64_t> (*steps_beside_policy)(const Problem&) = nullptr;
};

/// The one for this problem. There always is one: the last line of the registry takes every problem.
[[nodiscard]] const LocalSearchKind& local_search_for(const Problem& problem);

}  // namespace neuroprim
