#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "train/known.hpp"
#include "train/side_work.hpp"
#include "train/trajectories.hpp"

/// The kernels of train/cuda for single layers, as differentiable functions of tensors.
namespace neuroprim::train::fused {

/// at::linear of (…, inputs), contiguous, whose gradients are summed by kernels.
[[nodiscard]] at::Tensor linear_with_gradients(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                                               const std::shared_ptr<SideWork>& side, const Known& known = {});

/// at::relu, where the result may be known.
[[nodiscard]] at::Tensor relu(const at::Tensor& x, const Known& known);

/// Layer norm of x + update over the last dimension, for which there must be a kernel. Known with the sum.
[[nodiscard]] at::Tensor norm_of_sum(const at::Tensor& x, const at::Tensor& update, const at::Tensor& weight,
                                     const at::Tensor& bias, const std::shared_ptr<SideWork>& side,
                                     const Known& known = {});

/// What rows with the facts (B, T, n, row_facts) add to scores: of every head (B, T, n, heads), of the action
/// (B, T, n). Only rows that are open at their step count; others are neither read nor written, and so are their
/// gradients. The gradients are those of the network's weights; there must be a kernel for so many heads.
struct RowTerms {
    at::Tensor of_heads, of_action;
};
[[nodiscard]] RowTerms row_terms(const at::Tensor& facts, const torch::nn::Linear& expand,
                                 const torch::nn::Linear& contract, const Trajectories& trajectories);

}  // namespace neuroprim::train::fused
