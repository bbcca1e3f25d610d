#pragma once

#include <ATen/core/Tensor.h>

namespace neuroprim::train {

/// What a rollout kept of every step for the backward pass, as a replay of its trees would compute it. All members
/// are undefined where nothing was kept.
struct StepRecord {
    at::Tensor rows;               // (cuda::StepRow::count, B, T, d_e)
    at::Tensor qkv;                // (B, T, 3·d_e)
    at::Tensor lse;                // (2, B, T, heads)
    at::Tensor action_lse;         // (B, T)
    at::Tensor log_probabilities;  // (B)

    [[nodiscard]] bool is_kept() const { return rows.defined(); }

    /// That of `count` trajectories from `first` on.
    [[nodiscard]] StepRecord part(std::int64_t first, std::int64_t count) const {
        if (!is_kept()) return {};
        return {rows.narrow(1, first, count), qkv.narrow(0, first, count), lse.narrow(1, first, count),
                action_lse.narrow(0, first, count), log_probabilities.narrow(0, first, count)};
    }
};

}  // namespace neuroprim::train
