#pragma once

#include <functional>
#include <optional>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Is the minimum spanning tree a lower bound? Yes where the cost is the plain sum of weights and every vertex must
/// be in.
[[nodiscard]] bool mst_is_a_bound(const Problem& problem);

/// The best proven lower bound on the cost of every feasible tree that is cheap to have, or nothing.
/// So far that is the minimum spanning tree, where it is one. Nothing, too, when `interrupted`, asked now and then,
/// says so before the bound is there.
[[nodiscard]] std::optional<double> lower_bound(const Problem& problem, int threads = 1,
                                                const std::function<bool()>& interrupted = {});

}  // namespace neuroprim
