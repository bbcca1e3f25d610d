#include "train/fused_input.hpp"

#include <ATen/ATen.h>

#ifdef NEUROPRIM_WITH_CUDA

#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include "train/cuda/encoder_kernels.hpp"
#include "train/device_tensors.hpp"

namespace neuroprim::train::fused {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

cuda::VertexInput call_of(const at::Tensor& coordinates, const at::Tensor& terminals, std::int64_t width) {
    cuda::VertexInput call;
    call.graphs = static_cast<int>(coordinates.size(0));
    call.n = static_cast<int>(coordinates.size(1));
    call.width = static_cast<int>(width);
    call.coordinates = write(coordinates);
    call.terminals = reinterpret_cast<const std::uint8_t*>(terminals.data_ptr<bool>());
    return call;
}

class VertexInputFunction : public Function<VertexInputFunction> {
public:
    static variable_list forward(AutogradContext* context, const at::Tensor& terminal_weight,
                                 const at::Tensor& terminal_bias, const at::Tensor& other_weight,
                                 const at::Tensor& other_bias, const Graphs& graphs) {
        const c10::cuda::CUDAGuard guard(graphs.points.device());
        const std::int64_t width = terminal_weight.size(0);
        const auto terminals = graphs.terminals.contiguous();
        const auto points = graphs.points.contiguous();
        const auto coordinates = at::empty_like(points);
        const auto x = at::empty({graphs.size(), graphs.vertices(), width}, points.options());
        cuda::VertexInput call = call_of(coordinates, terminals, width);
        call.points = read(points);
        call.weight[0] = read(terminal_weight);
        call.bias[0] = read(terminal_bias);
        call.weight[1] = read(other_weight);
        call.bias[1] = read(other_bias);
        call.x = write(x);
        cuda::vertex_input_forward(call, stream());
        context->saved_data["terminals"] = terminals;
        context->saved_data["coordinates"] = coordinates.detach();
        context->mark_non_differentiable({coordinates});
        context->set_materialize_grads(false);  // nobody needs zeros for the coordinates
        return {x, coordinates};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto terminals = context->saved_data["terminals"].toTensor();
        const auto coordinates = context->saved_data["coordinates"].toTensor();
        const c10::cuda::CUDAGuard guard(coordinates.device());
        const auto d_x = gradients[0].contiguous();
        const std::int64_t width = d_x.size(2);
        const auto d_weights = at::empty({cuda::VertexInput::kinds, width, 2}, d_x.options());
        const auto d_biases = at::empty({cuda::VertexInput::kinds, width}, d_x.options());
        cuda::VertexInput call = call_of(coordinates, terminals, width);
        call.d_x = read(d_x);
        call.d_weights = write(d_weights);
        call.d_biases = write(d_biases);
        cuda::vertex_input_backward(call, stream());
        return {d_weights.select(0, 0), d_biases.select(0, 0), d_weights.select(0, 1), d_biases.select(0, 1), {}};
    }
};

}  // namespace

bool supports_vertex_input(const PolicyParts& policy, const Graphs& graphs) {
    constexpr std::int64_t most_graphs = 65535;
    const at::Tensor& weight = policy.terminal_input->weight;
    return is_kernel_ready(weight) && graphs.points.is_cuda() && graphs.points.scalar_type() == at::kFloat &&
           graphs.size() <= most_graphs && weight.size(0) % 32 == 0;
}

VertexInput vertex_input(PolicyParts& policy, const Graphs& graphs) {
    TORCH_CHECK(graphs.terminals.scalar_type() == at::kBool && graphs.terminals.device() == graphs.points.device(),
                "terminals");
    const auto results = VertexInputFunction::apply(policy.terminal_input->weight, policy.terminal_input->bias,
                                                    policy.other_input->weight, policy.other_input->bias, graphs);
    return {results[0], results[1]};
}

}  // namespace neuroprim::train::fused

#else

#include <stdexcept>

namespace neuroprim::train::fused {

bool supports_vertex_input(const PolicyParts&, const Graphs&) {
    return false;
}

VertexInput vertex_input(PolicyParts&, const Graphs&) {
    throw std::logic_error("this build has no CUDA kernels: ask fused::supports_vertex_input first");
}

}  // namespace neuroprim::train::fused

#endif
