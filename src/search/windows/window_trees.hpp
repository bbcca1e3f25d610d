#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// How a policy looks at a window.
struct WindowLook {
    std::vector<Start> starts;      ///< of greedy trees; sampled ones take them in turn
    std::span<const Point> points;  ///< (n) where it sees the vertices; empty: where their weights put them
    int first_view = 0;             ///< which symmetry of the square comes first
    int views = 1;
    std::size_t samples = 0;  ///< sampled trees besides the greedy ones, under each view
    double temperature = 1;   ///< of the samples
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;  ///< tells the window from all others
    int threads = 1;           ///< changes the time only
};

/// So many starts, spread evenly over those allowed; `shift` moves all of them.
[[nodiscard]] std::vector<Start> window_starts(const Problem& window, std::size_t most, std::size_t shift = 0);

/// Hands over the policy's trees of a window, not pruned. Throws Interrupted when the stop token expires first.
void offer_window_trees(const Policy& policy, const Problem& window, const WindowLook& look, const StopToken& stop,
                        const std::function<void(Tree)>& offer);

}  // namespace neuroprim
