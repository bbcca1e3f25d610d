#include "train/advantage.hpp"

#include <ATen/ATen.h>

namespace neuroprim::train {

at::Tensor advantages(const at::Tensor& costs, const AdvantageOptions& options) {
    auto result = costs - costs.mean(1, true);
    if (options.normalise) {
        // Graphs whose trees all cost the same must not turn rounding into signal.
        constexpr double least = 1e-4;
        const auto deviation = result.square().mean(1, true).sqrt();
        result = result / (deviation + least * costs.mean(1, true));
    }
    if (options.leader != 1) {
        result = at::where(costs == costs.amin(1, true), result * options.leader, result);
    }
    return result;
}

}  // namespace neuroprim::train
