#ifdef NEUROPRIM_WITH_CUDA

#include "train/fused_layers.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <vector>

#include "train/cuda/kernels.hpp"
#include "train/device_tensors.hpp"
#include "train/fused.hpp"

namespace neuroprim::train::fused {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// Edges and graphs.
class FeaturesFunction : public Function<FeaturesFunction> {
public:
    static variable_list forward(AutogradContext* context, const at::Tensor& vertices, const at::Tensor& weight,
                                 const at::Tensor& bias, const at::Tensor& graph_weight, const at::Tensor& graph_bias,
                                 const std::shared_ptr<SideWork>& side) {
        const c10::cuda::CUDAGuard guard(vertices.device());
        const std::int64_t graphs = vertices.size(0);
        const std::int64_t n = vertices.size(1);
        const std::int64_t d_e = weight.size(0);
        const auto difference = at::empty({graphs, n, d_e}, vertices.options());
        const auto edges = at::empty({graphs, n, n, d_e}, vertices.options());
        const auto graph = at::empty({graphs, d_e}, vertices.options());
        cuda::PairFeatures call = call_of(vertices, weight, graph_weight);
        call.difference = write(difference);
        call.bias = read(bias);
        call.graph_bias = read(graph_bias);
        call.edges = write(edges);
        call.graph = write(graph);
        cuda::graph_features_forward(call, stream());
        cuda::pair_features_forward(call, stream());
        context->save_for_backward({vertices, weight, graph_weight});
        keep(context, side);
        return {edges, graph};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const auto& vertices = saved[0];
        const auto& weight = saved[1];
        const auto& graph_weight = saved[2];
        const c10::cuda::CUDAGuard guard(vertices.device());
        const auto d_edges = gradients[0].contiguous();
        const auto d_graph = gradients[1].contiguous();
        const auto d_vertices = at::empty_like(vertices);
        const std::int64_t graphs = vertices.size(0);
        cuda::PairFeatures call = call_of(vertices, weight, graph_weight);
        const int weights = cuda::pair_feature_weights(call.d_v, call.d_e);
        const auto parts = at::empty({graphs, weights}, vertices.options());
        call.d_edges = read(d_edges);
        call.d_graph = read(d_graph);
        call.d_vertices = write(d_vertices);
        call.parts = write(parts);
        cuda::pair_features_backward(call, stream());
        const auto scratch = at::empty({cuda::column_sum_parts(graphs), weights}, vertices.options());
        const auto sums = at::empty({weights}, vertices.options());
        const cuda::ColumnSums add{graphs, weights, read(parts), write(scratch), write(sums)};
        run_beside(side_work_in(context), [&](cudaStream_t where) { cuda::column_sums(add, where); },
                   {parts, scratch});
        const std::int64_t d_e = weight.size(0);
        const std::int64_t of_graph = weight.numel() + d_e;
        return {d_vertices,
                sums.narrow(0, 0, weight.numel()).view(weight.sizes()),
                sums.narrow(0, weight.numel(), d_e),
                sums.narrow(0, of_graph, graph_weight.numel()).view(graph_weight.sizes()),
                sums.narrow(0, of_graph + graph_weight.numel(), d_e),
                {}};
    }

private:
    static cuda::PairFeatures call_of(const at::Tensor& vertices, const at::Tensor& weight,
                                      const at::Tensor& graph_weight) {
        cuda::PairFeatures call;
        call.graphs = static_cast<int>(vertices.size(0));
        call.n = static_cast<int>(vertices.size(1));
        call.d_v = static_cast<int>(vertices.size(2));
        call.d_e = static_cast<int>(weight.size(0));
        call.vertices = read(vertices);
        call.weight = read(weight);
        call.graph_weight = read(graph_weight);
        return call;
    }
};

class LinearFunction : public Function<LinearFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                              const at::Tensor& bias, const std::shared_ptr<SideWork>& side, const Known& known) {
        context->save_for_backward({x, weight});
        keep(context, side);
        return known.is_known() ? known.taken_over() : at::linear(x, weight, bias);
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const auto& x = saved[0];
        const auto& weight = saved[1];
        const c10::cuda::CUDAGuard guard(x.device());
        const std::shared_ptr<SideWork> side = side_work_in(context);
        if (side) side->await(gradients[0]);
        const auto d_y = gradients[0].contiguous();
        const std::int64_t inputs = weight.size(1);
        const std::int64_t outputs = weight.size(0);
        const std::int64_t rows = x.numel() / inputs;
        if (cuda::supports_linear_gradients(static_cast<int>(inputs), static_cast<int>(outputs))) {
            const Slopes slopes = slopes_of_linear(x, d_y, side);
            return {at::matmul(d_y, weight), slopes.weight, slopes.bias, {}, {}};
        }
        const auto d_weight = at::mm(d_y.view({rows, outputs}).t(), x.view({rows, inputs}));
        const auto d_bias = at::empty({outputs}, x.options());
        const auto parts = at::empty({cuda::column_sum_parts(rows), outputs}, x.options());
        cuda::column_sums({rows, static_cast<int>(outputs), read(d_y), write(parts), write(d_bias)}, stream());
        return {at::matmul(d_y, weight), d_weight, d_bias, {}, {}};
    }
};

class ReluFunction : public Function<ReluFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Known& known) {
        const at::Tensor y = known.is_known() ? known.taken_over() : at::relu(x);
        context->save_for_backward({y});
        return y;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        return {at::threshold_backward(gradients[0], context->get_saved_variables()[0], 0), {}};
    }
};

class NormOfSumFunction : public Function<NormOfSumFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& update,
                              const at::Tensor& weight, const at::Tensor& bias, const std::shared_ptr<SideWork>& side,
                              const Known& known) {
        const c10::cuda::CUDAGuard guard(x.device());
        const auto sum = known.is_known() ? known.kept : at::empty_like(x);
        const auto y = known.is_known() ? known.taken_over() : at::empty_like(x);
        if (!known.is_known()) {
            cuda::NormOfSum call = call_of(sum, weight);
            call.x = read(x);
            call.update = read(update);
            call.bias = read(bias);
            call.y = write(y);
            cuda::norm_of_sum_forward(call, stream());
        }
        context->save_for_backward({weight});
        context->saved_data["sum"] = sum;
        keep(context, side);
        return y;
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto weight = context->get_saved_variables()[0];
        const auto sum = context->saved_data["sum"].toTensor();
        const c10::cuda::CUDAGuard guard(sum.device());
        const auto d_y = gradients[0].contiguous();
        const auto d_sum = at::empty_like(sum);
        const std::int64_t width = sum.size(-1);
        const auto parts = at::empty({cuda::norm_of_sum_parts(), 2, width}, sum.options());
        const auto d_weight_and_bias = at::empty({2, width}, sum.options());
        cuda::NormOfSum call = call_of(sum, weight);
        call.d_y = read(d_y);
        call.d_sum = write(d_sum);
        call.parts = write(parts);
        call.d_weight_and_bias = write(d_weight_and_bias);
        cuda::norm_of_sum_backward(call, stream());
        run_beside(side_work_in(context), [&](cudaStream_t where) { cuda::norm_of_sum_weights(call, where); },
                   {parts});
        return {d_sum, d_sum, d_weight_and_bias.select(0, 0), d_weight_and_bias.select(0, 1), {}, {}};
    }

private:
    static cuda::NormOfSum call_of(const at::Tensor& sum, const at::Tensor& weight) {
        cuda::NormOfSum call;
        call.width = static_cast<int>(sum.size(-1));
        call.rows = sum.numel() / call.width;
        call.weight = read(weight);
        call.sum = write(sum);
        return call;
    }
};

class RowTermsFunction : public Function<RowTermsFunction> {
public:
    static variable_list forward(AutogradContext* context, const at::Tensor& facts, const at::Tensor& expand_weight,
                                 const at::Tensor& expand_bias, const at::Tensor& contract_weight,
                                 const at::Tensor& contract_bias, const Trajectories& trajectories) {
        const c10::cuda::CUDAGuard guard(facts.device());
        const std::vector<at::Tensor> weights = {expand_weight, expand_bias, contract_weight, contract_bias};
        const std::int64_t heads = contract_bias.size(0) - 1;
        std::vector<std::int64_t> shape = facts.sizes().vec();
        shape.pop_back();
        const auto of_action = at::empty(shape, facts.options());
        shape.push_back(heads);
        const auto of_heads = at::empty(shape, facts.options());
        cuda::RowNetworkPass call =
            call_of(facts, weights, trajectories.enter, trajectories.close, trajectories.lengths);
        call.of_heads = write(of_heads);
        call.of_action = write(of_action);
        cuda::row_terms_forward(call, stream());
        context->save_for_backward(weights);
        context->saved_data["facts"] = facts;
        context->saved_data["enter"] = trajectories.enter;
        context->saved_data["close"] = trajectories.close;
        context->saved_data["lengths"] = trajectories.lengths;
        return {of_heads, of_action};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto weights = context->get_saved_variables();
        const auto kept = [&](const char* name) { return context->saved_data[name].toTensor(); };
        const auto facts = kept("facts");
        const c10::cuda::CUDAGuard guard(facts.device());
        const auto d_of_heads = gradients[0].contiguous();
        const auto d_of_action = gradients[1].contiguous();
        cuda::RowNetworkPass call = call_of(facts, weights, kept("enter"), kept("close"), kept("lengths"));
        const auto sums = at::empty({cuda::row_term_weights(call.sizes.heads)}, facts.options());
        const auto parts = at::empty({cuda::row_term_parts(), sums.size(0)}, facts.options());
        call.d_of_heads = read(d_of_heads);
        call.d_of_action = read(d_of_action);
        call.parts = write(parts);
        call.d_weights = write(sums);
        cuda::row_terms_backward(call, stream());
        variable_list result = {at::Tensor()};
        std::int64_t place = 0;
        for (const at::Tensor& weight : weights) {
            result.push_back(sums.narrow(0, place, weight.numel()).view(weight.sizes()));
            place += weight.numel();
        }
        result.emplace_back();  // the trajectories have none
        return result;
    }

private:
    static cuda::RowNetworkPass call_of(const at::Tensor& facts, const std::vector<at::Tensor>& weights,
                                        const at::Tensor& enter, const at::Tensor& close, const at::Tensor& lengths) {
        cuda::RowNetworkPass call;
        call.sizes.graphs = static_cast<int>(facts.size(0));
        call.sizes.per_graph = 1;
        call.sizes.n = static_cast<int>(facts.size(2));
        call.sizes.heads = static_cast<int>(weights[3].size(0)) - 1;
        call.times = {enter.data_ptr<std::int32_t>(), close.data_ptr<std::int32_t>(),
                      lengths.data_ptr<std::int32_t>()};
        call.network = {read(weights[0]), read(weights[1]), read(weights[2]), read(weights[3])};
        call.facts = read(facts);
        return call;
    }
};

}  // namespace

Slopes slopes_of_linear(const at::Tensor& x, const at::Tensor& d_y, const std::shared_ptr<SideWork>& side) {
    const std::int64_t inputs = x.size(-1);
    const std::int64_t outputs = d_y.size(-1);
    const auto parts = at::empty({cuda::linear_gradient_parts(), outputs * (inputs + 1)}, x.options());
    const auto sums = at::empty({outputs * (inputs + 1)}, x.options());
    cuda::LinearGradients call;
    call.rows = x.numel() / inputs;
    call.inputs = static_cast<int>(inputs);
    call.outputs = static_cast<int>(outputs);
    call.x = read(x);
    call.d_y = read(d_y);
    call.parts = write(parts);
    call.d_weight_and_bias = write(sums);
    run_beside(side, [&](cudaStream_t where) { cuda::linear_gradients(call, where); }, {x, d_y, parts});
    return {sums.narrow(0, 0, outputs * inputs).view({outputs, inputs}), sums.narrow(0, outputs * inputs, outputs)};
}

bool supports_features(const torch::nn::Linear& edge, const at::Tensor& vertices) {
    return vertices.is_cuda() && vertices.scalar_type() == at::kFloat &&
           cuda::supports_pair_features(static_cast<int>(vertices.size(2)), static_cast<int>(edge->weight.size(0)));
}

Features features(const torch::nn::Linear& edge, const torch::nn::Linear& graph, const at::Tensor& some_vertices,
                  const std::shared_ptr<SideWork>& side) {
    const auto vertices = some_vertices.contiguous();
    const std::int64_t graphs = vertices.size(0);
    const std::int64_t n = vertices.size(1);
    const std::int64_t d_v = vertices.size(2);
    const std::int64_t d_e = edge->weight.size(0);
    check_floats(vertices, {graphs, n, d_v}, "vertices");
    check_floats(edge->weight, {d_e, 2 * d_v}, "weight of edges");
    check_floats(edge->bias, {d_e}, "bias of edges");
    check_floats(graph->weight, {d_e, d_v}, "weight of graphs");
    check_floats(graph->bias, {d_e}, "bias of graphs");
    TORCH_CHECK(graphs <= 65535, "at most 65535 graphs at once");
    const auto results =
        FeaturesFunction::apply(vertices, edge->weight, edge->bias, graph->weight, graph->bias, side);
    return {results[0], results[1]};
}

at::Tensor linear_with_gradients(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                                 const std::shared_ptr<SideWork>& side, const Known& known) {
    check_floats(weight, {weight.size(0), x.size(-1)}, "weight");
    check_floats(bias, {weight.size(0)}, "bias");
    return LinearFunction::apply(x, weight, bias, side, known);
}

at::Tensor relu(const at::Tensor& x, const Known& known) {
    return ReluFunction::apply(x, known);
}

at::Tensor norm_of_sum(const at::Tensor& x, const at::Tensor& update, const at::Tensor& weight,
                       const at::Tensor& bias, const std::shared_ptr<SideWork>& side, const Known& known) {
    check_floats(update, x.sizes(), "update");
    check_floats(weight, {x.size(-1)}, "weight");
    check_floats(bias, {x.size(-1)}, "bias");
    return NormOfSumFunction::apply(x, update, weight, bias, side, known);
}

RowTerms row_terms(const at::Tensor& facts, const torch::nn::Linear& expand, const torch::nn::Linear& contract,
                   const Trajectories& trajectories) {
    const std::int64_t n = trajectories.vertices();
    check_floats(facts, {trajectories.size(), n - 1, n, cuda::row_facts}, "facts of rows");
    for (const at::Tensor& times : {trajectories.enter, trajectories.close, trajectories.lengths}) {
        TORCH_CHECK(times.is_cuda() && times.scalar_type() == at::kInt && times.is_contiguous(),
                    "times of rows: expected contiguous 32-bit whole numbers on a CUDA device");
    }
    check_floats(expand->weight, {cuda::row_width, facts.size(-1)}, "weight of the rows' first layer");
    check_floats(contract->weight, {contract->bias.size(0), cuda::row_width}, "weight of the rows' second layer");
    const auto terms =
        RowTermsFunction::apply(facts, expand->weight, expand->bias, contract->weight, contract->bias, trajectories);
    return {terms[0], terms[1]};
}

}  // namespace neuroprim::train::fused

#endif
