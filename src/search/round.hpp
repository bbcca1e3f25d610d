#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace neuroprim {

/// One round of a search: its workers share the steps, and side work (a bound, a slow construction) may take the
/// place of one of them.
struct Round {
    int threads = 1;
    std::size_t workers = 1;
    std::optional<std::size_t> side = {};  ///< whose place the side work takes; `workers`: one of its own, after them
    std::int64_t steps = 0;                ///< of all workers together
    /// Side work may take longer than the steps. Workers that have done theirs do not wait for it, but do as many
    /// again, and again, until it ends. How many that are depends on the clock.
    bool fills = false;
};

/// What a worker did in a round.
struct RoundShare {
    std::int64_t steps = 0;
    double seconds = 0;  ///< that its part of the steps took, without what filled the round
};

/// Does a worker's steps and says how many it did: fewer than asked for when it has to stop.
using RunWorker = std::function<std::int64_t(std::size_t worker, std::int64_t steps)>;

/// The side work. It may ask whether workers run beside it at this moment.
using RunSide = std::function<void(const std::function<bool()>& workers_run)>;

/// Runs a round and tells what each worker did: nothing for the one that gave way. Passes on what they throw.
[[nodiscard]] std::vector<RoundShare> run_round(const Round& round, const RunWorker& run, const RunSide& side);

}  // namespace neuroprim
