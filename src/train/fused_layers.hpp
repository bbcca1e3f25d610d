#pragma once

#include <torch/types.h>

/// The kernels of train/cuda for single layers, as differentiable functions of tensors.
namespace neuroprim::train::fused {

/// (G, n, n, d_e) from vertices (G, n, d_v), difference (G, n, d_e), weight (d_e, d_v) and bias (d_e).
[[nodiscard]] at::Tensor pair_features(const at::Tensor& vertices, const at::Tensor& difference,
                                       const at::Tensor& weight, const at::Tensor& bias);

/// at::linear of (…, inputs), contiguous, whose gradients are summed by kernels.
[[nodiscard]] at::Tensor linear_with_gradients(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// Layer norm of x + update over the last dimension, for which there must be a kernel.
[[nodiscard]] at::Tensor norm_of_sum(const at::Tensor& x, const at::Tensor& update, const at::Tensor& weight,
                                     const at::Tensor& bias);

}  // namespace neuroprim::train::fused
