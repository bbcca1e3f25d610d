#pragma once

#include <functional>
#include <optional>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Is the minimum spanning tree a lower bound? Yes where the cost is the plain sum of weights and every vertex must
/// be in.
[[nodiscard]] bool mst_is_a_bound(const Problem& problem);

/// Can no tree cost less than nothing? Weights and traffic are not negative, so that holds for every problem of the
/// registry; a problem of your own may have costs below zero unless they are the plain sum of weights.
[[nodiscard]] bool costs_are_never_negative(const Problem& problem);

/// The best proven lower bound on the cost of every feasible tree that is cheap to have, or nothing.
/// So far that is the minimum spanning tree, where it is one. Nothing, too, when `interrupted`, asked now and then,
/// says so before the bound is there.
[[nodiscard]] std::optional<double> lower_bound(const Problem& problem, int threads = 1,
                                                const std::function<bool()>& interrupted = {});

}  // namespace neuroprim
