#include "train/vertex_norm.hpp"

#include <ATen/ATen.h>

namespace neuroprim::train {

VertexNormImpl::VertexNormImpl(int size, bool of_each_vertex)
    : weight(register_parameter("weight", torch::ones({size}))),
      bias(register_parameter("bias", torch::zeros({size}))) {
    if (of_each_vertex) return;
    running_mean = register_buffer("running_mean", torch::zeros({size}));
    running_var = register_buffer("running_var", torch::ones({size}));
}

torch::Tensor VertexNormImpl::forward(const torch::Tensor& x) {
    if (!is_over_batch()) return at::layer_norm(x, {x.size(-1)}, weight, bias, epsilon);
    const auto rows = x.reshape({-1, x.size(-1)});
    return at::batch_norm(rows, weight, bias, running_mean, running_var, is_training(), momentum, epsilon,
                          at::globalContext().userEnabledCuDNN())
        .view_as(x);
}

}  // namespace neuroprim::train
