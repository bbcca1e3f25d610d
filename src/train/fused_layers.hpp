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

/// Gradients of the matrix and the bias of a layer, or of the gains and shifts of a norm.
struct Slopes {
    at::Tensor weight, bias;
};

/// Those of a linear layer that made outputs of x, from the gradients of the outputs; both are contiguous. They are
/// summed beside the chain. There must be a kernel for this layer.
[[nodiscard]] Slopes slopes_of_linear(const at::Tensor& x, const at::Tensor& d_y,
                                      const std::shared_ptr<SideWork>& side);

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
