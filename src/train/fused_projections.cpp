#include "train/fused_projections.hpp"

#include <ATen/ATen.h>

#ifdef NEUROPRIM_WITH_CUDA

#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include "train/cuda/kernels.hpp"
#include "train/device_tensors.hpp"
#include "train/fused_layers.hpp"

namespace neuroprim::train::fused {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

class EdgeProjectionsFunction : public Function<EdgeProjectionsFunction> {
public:
    /// The edges as they are, then what each layer makes of them. `layers` are weight, bias, weight, bias, …
    static variable_list forward(AutogradContext* context, const std::shared_ptr<SideWork>& side,
                                 const at::Tensor& edges, const at::TensorList& layers) {
        const c10::cuda::CUDAGuard guard(edges.device());
        cuda::EdgeProjections call = call_of(edges, layers);
        variable_list results = {edges};
        for (int k = 0; k < call.count; ++k) {
            results.push_back(at::empty_like(edges));
            call.bias[k] = read(layers[static_cast<std::size_t>(2 * k + 1)]);
            call.y[k] = write(results.back());
        }
        call.x = read(edges);
        cuda::edge_projections_forward(call, stream());
        variable_list kept = layers.vec();
        kept.push_back(edges);
        context->save_for_backward(kept);
        keep(context, side);
        return results;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        variable_list layers = context->get_saved_variables();
        const at::Tensor edges = layers.back();
        layers.pop_back();
        const c10::cuda::CUDAGuard guard(edges.device());
        const std::shared_ptr<SideWork> side = side_work_in(context);
        cuda::EdgeProjections call = call_of(edges, layers);
        const auto d_edges = at::empty_like(edges);
        const auto others = gradients[0].contiguous();
        variable_list result = {at::Tensor(), d_edges};
        variable_list slopes;
        for (std::size_t k = 0; k < static_cast<std::size_t>(call.count); ++k) {
            if (side) side->await(gradients[k + 1]);
            slopes.push_back(gradients[k + 1].contiguous());
            call.d_y[k] = read(slopes.back());
            const Slopes of_layer = slopes_of_linear(edges, slopes.back(), side);
            result.push_back(of_layer.weight);
            result.push_back(of_layer.bias);
        }
        call.others = read(others);
        call.d_x = write(d_edges);
        cuda::edge_projections_backward(call, stream());
        return result;
    }

private:
    static cuda::EdgeProjections call_of(const at::Tensor& edges, at::TensorList layers) {
        cuda::EdgeProjections call;
        call.width = static_cast<int>(edges.size(-1));
        call.rows = edges.numel() / call.width;
        call.count = static_cast<int>(layers.size() / 2);
        for (int k = 0; k < call.count; ++k) call.weight[k] = read(layers[static_cast<std::size_t>(2 * k)]);
        return call;
    }
};

}  // namespace

bool supports_edge_projections(const PolicyParts& policy, const at::Tensor& edges) {
    return is_kernel_ready(edges) && cuda::supports_edge_projections(static_cast<int>(edges.size(-1)),
                                                                     2 * static_cast<int>(policy.decoder.size()) + 1);
}

void project_edges(PolicyParts& policy, Tables& tables) {
    variable_list layers;
    const auto add = [&](const torch::nn::Linear& layer) {
        const std::int64_t width = tables.edges.size(-1);
        check_floats(layer->weight, {width, width}, "weight");
        check_floats(layer->bias, {width}, "bias");
        layers.push_back(layer->weight);
        layers.push_back(layer->bias);
    };
    for (const DecoderParts& layer : policy.decoder) {
        add(layer.edge_attention.key);
        add(layer.edge_attention.value);
    }
    add(policy.action_key);
    const auto results = EdgeProjectionsFunction::apply(tables.side, tables.edges, at::TensorList(layers));
    tables.edges = results[0];
    for (std::size_t l = 0; l < policy.decoder.size(); ++l) {
        tables.layers.push_back({results[2 * l + 1], results[2 * l + 2]});
    }
    tables.action_keys = results.back();
}

}  // namespace neuroprim::train::fused

#else

#include <stdexcept>

namespace neuroprim::train::fused {

bool supports_edge_projections(const PolicyParts&, const at::Tensor&) {
    return false;
}

void project_edges(PolicyParts&, Tables&) {
    throw std::logic_error("this build has no CUDA kernels: ask fused::supports_edge_projections first");
}

}  // namespace neuroprim::train::fused

#endif
