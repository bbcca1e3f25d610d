#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <vector>

#include "neuroprim/policy.hpp"
#include "train/vertex_norm.hpp"

namespace neuroprim::train {

class PolicyModuleImpl;

struct AttentionParts {
    torch::nn::Linear query, key, value, output;
    at::Tensor distance;  // (heads), where the policy sees distances
};

struct EncoderParts {
    AttentionParts attention;
    VertexNorm attention_norm;
    torch::nn::Linear expand, contract;
    VertexNorm output_norm;
};

struct DecoderParts {
    AttentionParts self_attention;
    torch::nn::LayerNorm self_norm;
    AttentionParts edge_attention;
    torch::nn::LayerNorm edge_norm;
    torch::nn::Linear expand, contract;
    torch::nn::LayerNorm output_norm;
};

/// The pieces of a policy by their names in the weights file. Roll-out and replay put them together in their own
/// order: tables per graph instead of per trajectory, open rows instead of full masks.
struct PolicyParts {
    PolicyConfig config;
    torch::nn::Linear terminal_input, other_input;
    torch::nn::Linear specification{nullptr}, row_expand{nullptr}, row_contract{nullptr};  // where it is told
    std::vector<EncoderParts> encoder;
    VertexNorm encoder_norm{nullptr};  // where there is one
    torch::nn::Linear graph, edge;
    torch::nn::Linear distance{nullptr};  // likewise
    std::vector<DecoderParts> decoder;
    torch::nn::Linear action_query, action_key;
};

/// They share their parameters with the module.
[[nodiscard]] PolicyParts parts_of(const PolicyModuleImpl& policy);

}  // namespace neuroprim::train
