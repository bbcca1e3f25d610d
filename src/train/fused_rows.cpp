#ifdef NEUROPRIM_WITH_CUDA

#include "train/fused_rows.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include "train/cuda/decoder_rows.hpp"
#include "train/cuda/kernels.hpp"
#include "train/device_tensors.hpp"
#include "train/fused_layers.hpp"

namespace neuroprim::train::fused {

namespace {

using cuda::StepRow;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// What the functions take over. In a struct, so that autograd does not see the tensors.
struct Recorded {
    at::Tensor rows;  // (StepRow::count, B, T, d_e)
    at::Tensor qkv;   // (B, T, 3·d_e)
    std::shared_ptr<SideWork> side;
};

at::Tensor row_of(const at::Tensor& rows, StepRow which) {
    return rows.select(0, static_cast<std::int64_t>(which));
}

/// The same numbers as a tensor that no other function shares.
at::Tensor taken_over(const at::Tensor& known) {
    return known.variable_data();
}

at::Tensor empty_rows(const at::Tensor& rows) {
    return at::empty({rows.size(1), rows.size(2), rows.size(3)}, rows.options());
}

/// Gradients of the gains and shifts of a norm of `sum`.
Slopes of_norm(const at::Tensor& sum, const at::Tensor& gain, const at::Tensor& d_y,
               const std::shared_ptr<SideWork>& side) {
    const std::int64_t width = sum.size(-1);
    const auto d_sum = at::empty_like(sum);  // made again, for nobody
    const auto parts = at::empty({cuda::norm_of_sum_parts(), 2, width}, sum.options());
    const auto slopes = at::empty({2, width}, sum.options());
    cuda::NormOfSum call;
    call.width = static_cast<int>(width);
    call.rows = sum.numel() / width;
    call.weight = read(gain);
    call.sum = write(sum);
    call.d_y = read(d_y);
    call.d_sum = write(d_sum);
    call.parts = write(parts);
    call.d_weight_and_bias = write(slopes);
    const auto launch = [&](cudaStream_t where) {
        cuda::norm_of_sum_backward(call, where);
        cuda::norm_of_sum_weights(call, where);
    };
    run_beside(side, launch, {sum, gain, d_y, d_sum, parts});
    return {slopes.select(0, 0), slopes.select(0, 1)};
}

/// (B, T, 3·d_e), and the input again.
class InputFunction : public Function<InputFunction> {
public:
    static variable_list forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& query,
                                 const at::Tensor& query_bias, const at::Tensor& key, const at::Tensor& key_bias,
                                 const at::Tensor& value, const at::Tensor& value_bias, const Recorded& recorded) {
        (void)input, (void)query_bias, (void)key_bias, (void)value_bias;
        context->save_for_backward({query, key, value});
        context->saved_data["rows"] = recorded.rows;
        keep(context, recorded.side);
        return {taken_over(recorded.qkv), taken_over(row_of(recorded.rows, StepRow::input))};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto weights = context->get_saved_variables();
        const auto rows = context->saved_data["rows"].toTensor();
        const std::shared_ptr<SideWork> side = side_work_in(context);
        const c10::cuda::CUDAGuard guard(rows.device());
        const auto d_qkv = gradients[0].contiguous();
        const auto around = gradients[1].contiguous();
        const auto d_input = empty_rows(rows);
        cuda::RowsOfInput call;
        call.rows = d_input.numel() / d_input.size(-1);
        for (std::size_t k = 0; k < 3; ++k) call.weight[k] = read(weights[k]);
        call.d_qkv = read(d_qkv);
        call.around = read(around);
        call.d_input = write(d_input);
        const Slopes slopes = slopes_of_linear(row_of(rows, StepRow::input), d_qkv, side);
        cuda::rows_of_input(call, stream());
        const std::int64_t width = d_input.size(-1);
        variable_list result = {d_input};
        for (std::int64_t k = 0; k < 3; ++k) {
            result.push_back(slopes.weight.narrow(0, k * width, width));
            result.push_back(slopes.bias.narrow(0, k * width, width));
        }
        result.emplace_back();  // the record has none
        return result;
    }
};

/// The query of edge attention and the states.
class EdgeQueryFunction : public Function<EdgeQueryFunction> {
public:
    static variable_list forward(AutogradContext* context, const at::Tensor& past_context, const at::Tensor& around,
                                 const at::Tensor& output, const at::Tensor& output_bias, const at::Tensor& gain,
                                 const at::Tensor& shift, const at::Tensor& query, const at::Tensor& query_bias,
                                 const Recorded& recorded) {
        (void)past_context, (void)around, (void)output_bias, (void)shift, (void)query_bias;
        context->save_for_backward({output, gain, query});
        context->saved_data["rows"] = recorded.rows;
        keep(context, recorded.side);
        return {taken_over(row_of(recorded.rows, StepRow::edge_query)),
                taken_over(row_of(recorded.rows, StepRow::states))};
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const auto rows = context->saved_data["rows"].toTensor();
        const std::shared_ptr<SideWork> side = side_work_in(context);
        const c10::cuda::CUDAGuard guard(rows.device());
        const auto row = [&](StepRow which) { return row_of(rows, which); };
        const auto d_query = gradients[0].contiguous();
        const auto d_around = gradients[1].contiguous();
        const auto d_states = empty_rows(rows);
        const auto d_self_sum = empty_rows(rows);
        const auto d_context = empty_rows(rows);
        cuda::RowsBeforeEdges call;
        call.rows = d_states.numel() / d_states.size(-1);
        call.self_output = read(saved[0]);
        call.self_norm = read(saved[1]);
        call.edge_query = read(saved[2]);
        call.self_sum = read(row(StepRow::self_sum));
        call.d_edge_query = read(d_query);
        call.around = read(d_around);
        call.d_states = write(d_states);
        call.d_self_sum = write(d_self_sum);
        call.d_context = write(d_context);
        cuda::rows_before_edges(call, stream());
        const Slopes of_query = slopes_of_linear(row(StepRow::states), d_query, side);
        const Slopes of_gain = of_norm(row(StepRow::self_sum), saved[1], d_states, side);
        const Slopes of_output = slopes_of_linear(row(StepRow::past_context), d_self_sum, side);
        return {d_context,       d_self_sum,     of_output.weight,
                of_output.bias,  of_gain.weight, of_gain.bias,
                of_query.weight, of_query.bias,  {}};
    }
};

/// The query of the action.
class ActionQueryFunction : public Function<ActionQueryFunction> {
public:
    static at::Tensor forward(AutogradContext* context, const at::Tensor& edge_context, const at::Tensor& around,
                              const at::Tensor& output, const at::Tensor& output_bias, const at::Tensor& edge_gain,
                              const at::Tensor& edge_shift, const at::Tensor& expand, const at::Tensor& expand_bias,
                              const at::Tensor& contract, const at::Tensor& contract_bias,
                              const at::Tensor& output_gain, const at::Tensor& output_shift, const at::Tensor& query,
                              const at::Tensor& query_bias, const Recorded& recorded) {
        (void)edge_context, (void)around, (void)output_bias, (void)edge_shift, (void)expand_bias;
        (void)contract_bias, (void)output_shift, (void)query_bias;
        context->save_for_backward({output, edge_gain, expand, contract, output_gain, query});
        context->saved_data["rows"] = recorded.rows;
        keep(context, recorded.side);
        return taken_over(row_of(recorded.rows, StepRow::action_query));
    }

    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const auto rows = context->saved_data["rows"].toTensor();
        const std::shared_ptr<SideWork> side = side_work_in(context);
        const c10::cuda::CUDAGuard guard(rows.device());
        const auto row = [&](StepRow which) { return row_of(rows, which); };
        const auto d_query = gradients[0].contiguous();
        const auto d_output = empty_rows(rows);
        const auto d_output_sum = empty_rows(rows);
        const auto d_inner = empty_rows(rows);
        const auto d_seen = empty_rows(rows);
        const auto d_edge_sum = empty_rows(rows);
        const auto d_context = empty_rows(rows);
        cuda::RowsAfterEdges call;
        call.rows = d_output.numel() / d_output.size(-1);
        call.edge_output = read(saved[0]);
        call.edge_norm = read(saved[1]);
        call.expand = read(saved[2]);
        call.contract = read(saved[3]);
        call.output_norm = read(saved[4]);
        call.action_query = read(saved[5]);
        call.edge_sum = read(row(StepRow::edge_sum));
        call.inner = read(row(StepRow::inner));
        call.output_sum = read(row(StepRow::output_sum));
        call.d_action_query = read(d_query);
        call.d_output = write(d_output);
        call.d_output_sum = write(d_output_sum);
        call.d_inner = write(d_inner);
        call.d_seen = write(d_seen);
        call.d_edge_sum = write(d_edge_sum);
        call.d_context = write(d_context);
        cuda::rows_after_edges(call, stream());
        const Slopes of_query = slopes_of_linear(row(StepRow::output), d_query, side);
        const Slopes of_output_gain = of_norm(row(StepRow::output_sum), saved[4], d_output, side);
        const Slopes of_contract = slopes_of_linear(row(StepRow::inner), d_output_sum, side);
        const Slopes of_expand = slopes_of_linear(row(StepRow::seen), d_inner, side);
        const Slopes of_edge_gain = of_norm(row(StepRow::edge_sum), saved[1], d_seen, side);
        const Slopes of_output = slopes_of_linear(row(StepRow::edge_context), d_edge_sum, side);
        return {d_context,
                d_edge_sum,
                of_output.weight,
                of_output.bias,
                of_edge_gain.weight,
                of_edge_gain.bias,
                of_expand.weight,
                of_expand.bias,
                of_contract.weight,
                of_contract.bias,
                of_output_gain.weight,
                of_output_gain.bias,
                of_query.weight,
                of_query.bias,
                {}};
    }
};

Recorded recorded(const StepRecord& record, const std::shared_ptr<SideWork>& side) {
    return {record.rows, record.qkv, side};
}

}  // namespace

bool supports_recorded_rows(const PolicyParts& policy, const StepRecord& record) {
    return record.is_kept() && policy.decoder.size() == 1 && cuda::supports_decoder_rows(policy.config.d_e);
}

ProjectedInput recorded_input(DecoderParts& layer, const at::Tensor& input, const StepRecord& record,
                              const std::shared_ptr<SideWork>& side) {
    const auto& [query, key, value, output, distance] = layer.self_attention;
    const auto results = InputFunction::apply(input, query->weight, query->bias, key->weight, key->bias,
                                              value->weight, value->bias, recorded(record, side));
    return {results[0], results[1]};
}

EdgeQuery recorded_edge_query(DecoderParts& layer, const at::Tensor& past_context, const at::Tensor& around,
                              const StepRecord& record, const std::shared_ptr<SideWork>& side) {
    const auto& output = layer.self_attention.output;
    const auto& query = layer.edge_attention.query;
    const auto results =
        EdgeQueryFunction::apply(past_context, around, output->weight, output->bias, layer.self_norm->weight,
                                 layer.self_norm->bias, query->weight, query->bias, recorded(record, side));
    return {results[0], results[1]};
}

at::Tensor recorded_action_query(DecoderParts& layer, const torch::nn::Linear& action_query,
                                 const at::Tensor& edge_context, const at::Tensor& around, const StepRecord& record,
                                 const std::shared_ptr<SideWork>& side) {
    const auto& output = layer.edge_attention.output;
    return ActionQueryFunction::apply(edge_context, around, output->weight, output->bias, layer.edge_norm->weight,
                                      layer.edge_norm->bias, layer.expand->weight, layer.expand->bias,
                                      layer.contract->weight, layer.contract->bias, layer.output_norm->weight,
                                      layer.output_norm->bias, action_query->weight, action_query->bias,
                                      recorded(record, side));
}

}  // namespace neuroprim::train::fused

#endif
