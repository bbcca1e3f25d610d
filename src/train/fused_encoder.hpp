#pragma once

#include <ATen/core/Tensor.h>

#include "train/policy_parts.hpp"

/// The encoder through kernels that do as much as possible per launch. Updates of few graphs are a chain of launches
/// that take some microseconds each, whatever they do.
namespace neuroprim::train::fused {

/// Whether `encode_vertices` takes these vertices (G, n, d_v): few enough on a CUDA device, widths for which there
/// are kernels, and batch norms in training.
[[nodiscard]] bool supports_encoder(PolicyParts& policy, const at::Tensor& x);

/// The encoder's layers and its last norm: (G, n, d_v) from the same. `lengths` (G, n, n) may be undefined.
[[nodiscard]] at::Tensor encode_vertices(PolicyParts& policy, const at::Tensor& x, double sharpness,
                                         const at::Tensor& lengths);

}  // namespace neuroprim::train::fused
