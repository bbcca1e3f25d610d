#pragma once

#include <ATen/core/Tensor.h>

namespace neuroprim::train {

/// What makes a tree count for more than its distance from the mean.
struct AdvantageOptions {
    double leader = 1;       ///< the cheapest tree of a graph counts this many times
    bool normalise = false;  ///< distances are measured in standard deviations of the graph's own costs
};

/// The flat return of N trees on each of G graphs against the mean of the graph's own trees, (G, N): negative for
/// trees that are better than usual.
///
/// When the answer is the best of many trees, the mean is not what matters: a leader's weight above one favours
/// policies that are bold, as some of their trees are better than all of a cautious one's.
[[nodiscard]] at::Tensor advantages(const at::Tensor& costs, const AdvantageOptions& options);

}  // namespace neuroprim::train
