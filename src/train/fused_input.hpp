#pragma once

#include <ATen/core/Tensor.h>

#include "train/policy_parts.hpp"
#include "train/trajectories.hpp"

/// What the encoder sees of the graphs, in one launch.
namespace neuroprim::train::fused {

struct VertexInput {
    at::Tensor x;            // (G, n, d_v)
    at::Tensor coordinates;  // (G, n, 2) in the unit square, without gradients
};

/// Whether there is a kernel for these graphs: few enough, on a CUDA device.
[[nodiscard]] bool supports_vertex_input(const PolicyParts& policy, const Graphs& graphs);

[[nodiscard]] VertexInput vertex_input(PolicyParts& policy, const Graphs& graphs);

}  // namespace neuroprim::train::fused
