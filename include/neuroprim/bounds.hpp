#pragma once

#include <optional>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// The best proven lower bound on the cost of every feasible tree that is cheap to have, or nothing.
/// Where the cost is the plain sum of weights and every vertex must be in, that is the minimum spanning tree.
[[nodiscard]] std::optional<double> lower_bound(const Problem& problem, int threads = 1);

}  // namespace neuroprim
