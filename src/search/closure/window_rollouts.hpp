#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// How a policy is asked for trees of a window.
struct RolloutOptions {
    std::size_t starts = 0;   ///< greedy trees where there is no root; 0: as many as are worth their time
    int augmentations = 1;    ///< symmetries of the square that it is seen under
    std::size_t samples = 0;  ///< sampled trees besides the greedy ones, under each of them
    std::uint64_t seed = 0;
};

/// The policy's trees of a small problem, each once, not pruned. `view` says which symmetries come first, `stream`
/// tells the window from all others. Throws Interrupted when the stop token expires first.
[[nodiscard]] std::vector<Tree> window_rollouts(const Policy& policy, const Problem& window,
                                                const RolloutOptions& options, int view, std::uint64_t stream,
                                                const StopToken& stop);

}  // namespace neuroprim
