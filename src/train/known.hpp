#pragma once

#include <ATen/core/Tensor.h>

namespace neuroprim::train::fused {

/// What the forward pass of a function would compute, where somebody has computed it already: it is then taken over
/// and nothing is launched. `kept` is what the backward pass needs besides.
struct Known {
    at::Tensor result = {};
    at::Tensor kept = {};

    [[nodiscard]] bool is_known() const { return result.defined(); }

    /// The same numbers as a tensor of its own, which no view or other function shares.
    [[nodiscard]] at::Tensor taken_over() const { return result.variable_data(); }
};

}  // namespace neuroprim::train::fused
