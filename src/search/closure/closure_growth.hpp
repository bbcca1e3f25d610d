#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "search/closure/window_rollouts.hpp"

namespace neuroprim {

/// A feasible tree that a policy grows from `start` in a sparse graph (`has_closure_windows`), window after window:
/// each holds the tree so far and the next terminals around it; where ways are limited, those farthest from the root
/// first, because they have none to spare. `view` says under which symmetries the windows are seen. Nothing in a dead
/// end. Throws Interrupted when the stop token expires first.
[[nodiscard]] std::optional<Tree> grown_in_closures(const Policy& policy, const Problem& problem,
                                                    const RolloutOptions& options, Vertex start, int view,
                                                    const StopToken& stop);

}  // namespace neuroprim
