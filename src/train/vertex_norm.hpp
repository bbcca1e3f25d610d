#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace neuroprim::train {

/// The encoder's norm of vertex features (…, d_v): over (batch × vertex), or over each vertex's own features.
///
/// A batch norm takes away whatever all vertices of a batch have in common, so a policy that is told the limits of
/// its batch must not have it: those are the same for every vertex, and running statistics belong to no
/// specification.
class VertexNormImpl : public torch::nn::Module {
public:
    VertexNormImpl(int size, bool of_each_vertex);

    /// A batch norm uses and keeps running statistics as torch::nn::BatchNorm1d does.
    torch::Tensor forward(const torch::Tensor& x);

    [[nodiscard]] bool is_over_batch() const { return running_mean.defined(); }

    static constexpr double epsilon = 1e-5;
    static constexpr double momentum = 0.1;

    torch::Tensor weight, bias;               // (d_v)
    torch::Tensor running_mean, running_var;  // (d_v), of a batch norm
};
TORCH_MODULE(VertexNorm);

}  // namespace neuroprim::train
