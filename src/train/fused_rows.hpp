#pragma once

#include <torch/types.h>

#include "train/policy_parts.hpp"
#include "train/side_work.hpp"
#include "train/step_record.hpp"

/// The parts of a decoder layer that see each step for itself, where a rollout has recorded what they make: nothing
/// is computed forwards, and each stretch between two attentions goes backwards in one launch.
namespace neuroprim::train::fused {

/// Whether there are kernels for this policy; `record` is kept then.
[[nodiscard]] bool supports_recorded_rows(const PolicyParts& policy, const StepRecord& record);

struct ProjectedInput {
    at::Tensor qkv;     // (B, T, 3·d_e)
    at::Tensor around;  // (B, T, d_e) the input, which the residual takes
};
[[nodiscard]] ProjectedInput recorded_input(DecoderParts& layer, const at::Tensor& input, const StepRecord& record,
                                            const std::shared_ptr<SideWork>& side);

struct EdgeQuery {
    at::Tensor query;   // (B, T, d_e)
    at::Tensor around;  // (B, T, d_e) the states, which the residual takes
};
[[nodiscard]] EdgeQuery recorded_edge_query(DecoderParts& layer, const at::Tensor& past_context,
                                            const at::Tensor& around, const StepRecord& record,
                                            const std::shared_ptr<SideWork>& side);

/// (B, T, d_e)
[[nodiscard]] at::Tensor recorded_action_query(DecoderParts& layer, const torch::nn::Linear& action_query,
                                               const at::Tensor& edge_context, const at::Tensor& around,
                                               const StepRecord& record, const std::shared_ptr<SideWork>& side);

}  // namespace neuroprim::train::fused
