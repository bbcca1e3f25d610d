#include "train/fused.hpp"

#include <ATen/ATen.h>

#ifdef NEUROPRIM_WITH_CUDA

#include <c10/cuda/CUDAGuard.h>

#include "policy/model.hpp"
#include "train/costs.hpp"
#include "train/decoder.hpp"
#include "train/device_tensors.hpp"
#include "train/fused_layers.hpp"
#include "train/fused_rows.hpp"
#include "train/fused_steps.hpp"

namespace neuroprim::train::fused {

namespace {

cuda::LinearWeights weights_of(const torch::nn::Linear& linear) {
    return {read(linear->weight), read(linear->bias)};
}

cuda::NormWeights weights_of(const torch::nn::LayerNorm& norm) {
    return {read(norm->weight), read(norm->bias)};
}

cuda::DecoderWeights weights_of(const PolicyParts& policy) {
    const DecoderParts& layer = policy.decoder[0];
    cuda::DecoderWeights weights;
    weights.self_query = weights_of(layer.self_attention.query);
    weights.self_key = weights_of(layer.self_attention.key);
    weights.self_value = weights_of(layer.self_attention.value);
    weights.self_output = weights_of(layer.self_attention.output);
    weights.self_norm = weights_of(layer.self_norm);
    weights.edge_query = weights_of(layer.edge_attention.query);
    weights.edge_output = weights_of(layer.edge_attention.output);
    weights.edge_norm = weights_of(layer.edge_norm);
    weights.expand = weights_of(layer.expand);
    weights.contract = weights_of(layer.contract);
    weights.output_norm = weights_of(layer.output_norm);
    weights.action_query = weights_of(policy.action_query);
    return weights;
}

/// Limits as the kernels read them, and the tensors that they point into.
struct LimitTensors {
    cuda::Limits limits;
    std::vector<at::Tensor> kept;

    const float* keep(const at::Tensor& x) {
        kept.push_back(x.to(at::kFloat).contiguous());
        return read(kept.back());
    }
};

LimitTensors limits_of(const Graphs& graphs, const Rules& rules, std::int64_t trajectories) {
    LimitTensors result;
    cuda::Limits& limits = result.limits;
    const std::int64_t n = graphs.vertices();
    limits.degree = rules.degree_limit;
    limits.start_degree = rules.start_degree();
    limits.hops = rules.hop_limit;
    limits.diameter = rules.diameter_limit;
    limits.capacity = static_cast<float>(rules.capacity);
    limits.has_root = rules.one_start;
    limits.points = result.keep(graphs.points);
    if (graphs.weights.defined()) limits.edge_weights = result.keep(graphs.weights);
    if (rules.length_percent > 0) {
        limits.length_limits = result.keep(graphs.length_limits);
        limits.units = result.keep(weight_units(graphs).squeeze(1));
    }
    if (rules.capacity > 0) {
        limits.demands = result.keep(graphs.demands);
        limits.mean_demands = result.keep(graphs.demands.mean(1));
        limits.least_demands = result.keep(graphs.demands.amin(1));
    }
    if (graphs.groups.defined()) {
        result.kept.push_back(graphs.groups.contiguous());
        limits.groups = result.kept.back().data_ptr<std::int64_t>();
        result.kept.push_back((graphs.groups.amax(1) + 1).to(at::kInt).contiguous());
        limits.group_counts = result.kept.back().data_ptr<std::int32_t>();
    }
    if (rules.diameter_limit > 0) {
        result.kept.push_back(at::empty({trajectories, n, n}, graphs.points.options().dtype(at::kByte)));
        limits.distances = result.kept.back().data_ptr<std::uint8_t>();
    }
    return result;
}

StepRecord empty_record(const cuda::Sizes& sizes, const at::TensorOptions& floats) {
    const std::int64_t count = sizes.trajectories();
    const std::int64_t steps = sizes.steps();
    return {at::empty({cuda::StepRecord::row_count, count, steps, sizes.d_e}, floats),
            at::empty({count, steps, 3 * sizes.d_e}, floats), at::empty({2, count, steps, sizes.heads}, floats),
            at::empty({count, steps}, floats), at::empty({count}, floats)};
}

RowTerms row_terms_of(PolicyParts& policy, const at::Tensor& facts, const Trajectories& trajectories) {
    if (!facts.defined()) return {};
    const std::int64_t of_heads = policy.row_contract->bias.size(0) - 1;
    if (cuda::supports_row_terms(static_cast<int>(of_heads))) {
        return row_terms(facts, policy.row_expand, policy.row_contract, trajectories);
    }
    // Facts of closed rows were never written.
    const auto step = at::arange(facts.size(1), trajectories.enter.options()).view({1, -1, 1});
    const auto is_open = (trajectories.enter.unsqueeze(1) <= step) & (step < trajectories.close.unsqueeze(1)) &
                         (step < trajectories.lengths.view({-1, 1, 1}));
    const auto known = facts.masked_fill(is_open.logical_not().unsqueeze(3), 0);
    const at::Tensor all = train::row_terms(policy, known);
    return {all.narrow(-1, 0, of_heads), all.select(-1, of_heads).contiguous()};
}

}  // namespace

std::int64_t largest_graph(const PolicyConfig& config, c10::Device device) {
    const bool known = device.is_cuda() && config.decoder_layers == 1 && cuda::supports(config.d_e, config.heads);
    return known ? cuda::largest_rollout(config.d_e, config.heads, neuroprim::policy::sees_specification(config)) : 0;
}

bool supports(const PolicyConfig& config, c10::Device device, std::int64_t n) {
    return n >= 2 && n <= largest_graph(config, device);
}

Trajectories roll_out(PolicyParts& policy, const Tables& tables, const Graphs& graphs, const Rules& rules,
                      const at::Tensor& starts, const DeviceChoice& choice, StepRecord* record) {
    const at::NoGradGuard no_gradients;
    const c10::cuda::CUDAGuard guard(tables.edges.device());
    TORCH_CHECK(tables.layers.size() == 1, "the fused rollout needs a decoder of one layer");
    const std::int64_t count = starts.size(0);
    const std::int64_t n = tables.vertices();
    const auto longs = starts.options();
    const auto ints = longs.dtype(at::kInt);
    const auto floats = tables.edges.options();
    TORCH_CHECK(starts.is_cuda() && starts.scalar_type() == at::kLong && starts.is_contiguous(), "starts");
    TORCH_CHECK(choice.seed.is_cuda() && choice.seed.scalar_type() == at::kLong, "seed: one int64 on the device");

    Trajectories trees;
    trees.start = starts;
    trees.sources = at::empty({count, n - 1}, longs);
    trees.targets = at::empty({count, n - 1}, longs);
    trees.lengths = at::empty({count}, ints);
    trees.enter = at::empty({count, n}, ints);
    trees.close = at::empty({count, n}, ints);
    trees.costs = at::empty({count}, floats);
    trees.missing = at::empty({count}, ints);
    const bool is_told = !policy.row_expand.is_empty();
    const bool is_limited = is_told || rules.may_end_early();
    const bool wants_some = rules.terminals_only() || rules.coverage == Coverage::optional;
    const auto terminals = wants_some ? wanted_vertices(graphs, rules).contiguous() : at::Tensor();
    const bool has_weights = graphs.weights.defined();
    const auto weights = (has_weights ? graphs.weights : graphs.points).to(at::kFloat).contiguous();
    const auto packed = at::empty({cuda::packed_weight_count(policy.config.d_e)}, floats);

    cuda::Rollout call;
    call.sizes = sizes_of(tables.edges, trees, policy.config.heads);
    TORCH_CHECK(weights.sizes() == at::IntArrayRef({call.sizes.graphs, n, has_weights ? n : 2}) && weights.is_cuda(),
                "weights");
    TORCH_CHECK(!wants_some || (terminals.numel() == call.sizes.graphs * n && terminals.is_cuda()), "terminals");
    call.weights = weights_of(policy);
    call.clip = static_cast<float>(policy.config.clip);
    call.degree_limit = rules.degree_limit;
    call.start_degree = rules.start_degree();
    call.hop_limit = rules.hop_limit;
    call.routing_cost = rules.cost == Rules::Cost::routing_cost;
    call.terminals_only = wants_some;
    call.pruned_edge_penalty = static_cast<float>(rules.pruned_edge_penalty);
    call.greedy = choice.greedy;
    call.seed = choice.seed.data_ptr<std::int64_t>();
    call.first = choice.first;
    call.graph = read(tables.graph);
    call.edges = read(tables.edges);
    call.keys = read(tables.layers[0].keys);
    call.values = read(tables.layers[0].values);
    call.action_keys = read(tables.action_keys);
    (has_weights ? call.edge_weights : call.points) = read(weights);
    if (wants_some) call.terminals = reinterpret_cast<const std::uint8_t*>(terminals.data_ptr<bool>());
    call.starts = starts.data_ptr<std::int64_t>();
    call.sources = trees.sources.data_ptr<std::int64_t>();
    call.targets = trees.targets.data_ptr<std::int64_t>();
    call.lengths = trees.lengths.data_ptr<std::int32_t>();
    call.enter = trees.enter.data_ptr<std::int32_t>();
    call.close = trees.close.data_ptr<std::int32_t>();
    call.costs = trees.costs.data_ptr<float>();
    call.missing = trees.missing.data_ptr<std::int32_t>();
    call.packed_weights = packed.data_ptr<float>();
    if (record != nullptr) {
        *record = empty_record(call.sizes, floats);
        call.log_probabilities = write(record->log_probabilities);
        call.record = {write(record->rows), write(record->qkv), write(record->lse), write(record->action_lse)};
    }
    call.warps = choice.warps;
    call.warp_groups = choice.warp_groups;
    LimitTensors limits;
    if (is_limited) {
        limits = limits_of(graphs, rules, count);
        call.is_limited = true;
        call.limits = limits.limits;
        if (is_told) {
            call.rows = {read(policy.row_expand->weight), read(policy.row_expand->bias),
                         read(policy.row_contract->weight), read(policy.row_contract->bias)};
        }
    }
    cuda::roll_out(call, stream());
    if (rules.may_end_early()) trees.costs = tree_costs(trees, graphs, rules);
    return trees;
}

Trajectories roll_out(PolicyParts& policy, const Tables& tables, const Graphs& graphs, const Rules& rules,
                      const at::Tensor& starts, const Choice& choice) {
    DeviceChoice on_device;
    on_device.greedy = choice.greedy;
    on_device.first = choice.first;
    on_device.seed = at::full({1}, static_cast<std::int64_t>(choice.seed), starts.options());
    return roll_out(policy, tables, graphs, rules, starts, on_device);
}

StepResources step_resources(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules,
                             bool with_facts) {
    const at::NoGradGuard no_gradients;
    StepResources result;
    if (graphs.groups.defined()) result.leave = leave_times(trajectories.enter, graphs);
    if (!with_facts && !rules.has_pair_rule()) return result;
    const c10::cuda::CUDAGuard guard(graphs.points.device());
    const std::int64_t count = trajectories.size();
    const std::int64_t n = graphs.vertices();
    const auto floats = graphs.points.options().dtype(at::kFloat);
    const LimitTensors limits = limits_of(graphs, rules, count);
    cuda::RowStates call;
    call.sizes.graphs = static_cast<int>(graphs.size());
    call.sizes.per_graph = static_cast<int>(count / graphs.size());
    call.sizes.n = static_cast<int>(n);
    call.limits = limits.limits;
    const auto start = trajectories.start.contiguous();
    const auto sources = trajectories.sources.contiguous();
    const auto targets = trajectories.targets.contiguous();
    const auto enter = trajectories.enter.contiguous();
    const auto close = trajectories.close.contiguous();
    const auto lengths = trajectories.lengths.contiguous();
    call.start = start.data_ptr<std::int64_t>();
    call.sources = sources.data_ptr<std::int64_t>();
    call.targets = targets.data_ptr<std::int64_t>();
    call.times = {enter.data_ptr<std::int32_t>(), close.data_ptr<std::int32_t>(), lengths.data_ptr<std::int32_t>()};
    if (with_facts) {
        result.facts = at::empty({count, n - 1, n, cuda::row_facts}, floats);
        call.facts = write(result.facts);
    }
    if (rules.length_percent > 0) {
        if (graphs.weights.defined()) {
            result.weights = graphs.weights.to(at::kFloat).contiguous();
        } else {
            result.points = graphs.points.to(at::kFloat).contiguous();
        }
        result.length_left = at::empty({count, n - 1, n}, floats);
        call.length_left = write(result.length_left);
    }
    if (rules.capacity > 0) {
        result.demands = graphs.demands.to(at::kFloat).contiguous();
        result.load_left = at::empty({count, n - 1, n}, floats);
        call.load_left = write(result.load_left);
    }
    cuda::row_states(call, stream());
    return result;
}

Likelihood log_probabilities(PolicyParts& policy, const Tables& tables, const Trajectories& trajectories,
                             bool with_entropy, const StepResources& resources, const StepRecord& record) {
    const std::int64_t heads = policy.config.heads;
    TORCH_CHECK(!record.is_kept() || (tables.layers.size() == 1 && !with_entropy),
                "a record of steps is of one layer and has no entropies");
    const auto row = [&](cuda::StepRow which) {
        return record.is_kept() ? record.rows.select(0, static_cast<std::int64_t>(which)) : at::Tensor();
    };
    const auto lse = [&](std::int64_t which) {
        return record.is_kept() ? record.lse.select(0, which) : at::Tensor();
    };
    using enum cuda::StepRow;
    const RowTerms terms = row_terms_of(policy, resources.facts, trajectories);  // (B, T, n, layers·heads), (B, T, n)
    const std::shared_ptr<SideWork>& side = tables.side;
    at::Tensor x = decoder_input(tables.graph.contiguous(), tables.edges, trajectories, {row(input)});
    if (supports_recorded_rows(policy, record)) {
        DecoderParts& layer = policy.decoder[0];
        const ProjectedInput projected = recorded_input(layer, x, record, side);
        const auto past = self_attention(projected.qkv, trajectories, heads, {row(past_context), lse(0)});
        const EdgeQuery edge = recorded_edge_query(layer, past, projected.around, record, side);
        const auto context =
            edge_attention(edge.query, tables.layers[0].keys, tables.layers[0].values, terms.of_heads, trajectories,
                           heads, resources, side, {row(edge_context), lse(1)});
        const auto query = recorded_action_query(layer, policy.action_query, context, edge.around, record, side);
        const auto chosen =
            action_choice(query, tables.action_keys, terms.of_action, trajectories, heads, policy.config.clip,
                          with_entropy, resources, side, {record.log_probabilities, record.action_lse});
        return {chosen.log_probabilities, chosen.entropies};
    }
    for (std::size_t l = 0; l < tables.layers.size(); ++l) {
        DecoderParts& layer = policy.decoder[l];
        const AttentionParts& own = layer.self_attention;
        const auto weight = at::cat({own.query->weight, own.key->weight, own.value->weight});
        const auto bias = at::cat({own.query->bias, own.key->bias, own.value->bias});
        const auto past = self_attention(linear(x, weight, bias, side, {record.qkv}), trajectories, heads,
                                         {row(past_context), lse(0)});
        const auto before = norm_of_sum(layer.self_norm, x, linear(own.output, past, side, {row(self_sum)}), side,
                                        {row(states), row(self_sum)});
        const auto query = linear(layer.edge_attention.query, before, side, {row(edge_query)});
        // One layer takes all of them: a part would be copied, and its gradient again.
        at::Tensor of_heads = terms.of_heads;
        if (of_heads.defined() && tables.layers.size() > 1) {
            of_heads = of_heads.narrow(3, static_cast<std::int64_t>(l) * heads, heads).contiguous();
        }
        const auto context = edge_attention(query, tables.layers[l].keys, tables.layers[l].values, of_heads,
                                            trajectories, heads, resources, side, {row(edge_context), lse(1)});
        const auto after =
            norm_of_sum(layer.edge_norm, before, linear(layer.edge_attention.output, context, side, {row(edge_sum)}),
                        side, {row(seen), row(edge_sum)});
        const auto rectified = relu(linear(layer.expand, after, side, {row(inner)}), {row(inner)});
        x = norm_of_sum(layer.output_norm, after, linear(layer.contract, rectified, side, {row(output_sum)}), side,
                        {row(output), row(output_sum)});
    }
    const auto chosen = action_choice(linear(policy.action_query, x, side, {row(action_query)}), tables.action_keys,
                                      terms.of_action, trajectories, heads, policy.config.clip, with_entropy,
                                      resources, side, {record.log_probabilities, record.action_lse});
    return {chosen.log_probabilities, chosen.entropies};
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                  const std::shared_ptr<SideWork>& side, const Known& known) {
    const bool fast = x.is_cuda() && x.scalar_type() == at::kFloat && x.requires_grad();
    return fast ? linear_with_gradients(x.contiguous(), weight, bias, side, known) : at::linear(x, weight, bias);
}

at::Tensor norm_of_sum(torch::nn::LayerNorm& norm, const at::Tensor& x, const at::Tensor& update,
                       const std::shared_ptr<SideWork>& side, const Known& known) {
    const bool fast =
        x.is_cuda() && x.scalar_type() == at::kFloat && cuda::supports_norm_of_sum(static_cast<int>(x.size(-1)));
    return fast ? norm_of_sum(x.contiguous(), update.contiguous(), norm->weight, norm->bias, side, known)
                : norm(x + update);
}

at::Tensor adam_update(at::Tensor& values, const at::Tensor& gradients, at::Tensor& first_moments,
                       at::Tensor& second_moments, const at::Tensor& factors, double largest_norm) {
    const c10::cuda::CUDAGuard guard(values.device());
    const auto norm = at::empty({}, values.options());
    const auto parts = at::empty({cuda::norm_part_count()}, values.options());
    cuda::Adam call;
    call.size = values.numel();
    TORCH_CHECK(gradients.numel() == call.size && first_moments.numel() == call.size &&
                    second_moments.numel() == call.size && factors.numel() == 3,
                "Adam: vectors of different lengths");
    call.values = const_cast<float*>(read(values));
    call.gradients = read(gradients);
    call.first_moments = const_cast<float*>(read(first_moments));
    call.second_moments = const_cast<float*>(read(second_moments));
    call.factors = read(factors);
    call.largest_norm = static_cast<float>(largest_norm);
    call.norm = norm.data_ptr<float>();
    call.norm_parts = parts.data_ptr<float>();
    cuda::adam_update(call, stream());
    return norm;
}

}  // namespace neuroprim::train::fused

#else

namespace neuroprim::train::fused {

namespace {

[[noreturn]] void refuse() {
    throw std::logic_error("this build has no CUDA kernels: ask fused::supports first");
}

}  // namespace

std::int64_t largest_graph(const PolicyConfig&, c10::Device) {
    return 0;
}

bool supports(const PolicyConfig&, c10::Device, std::int64_t) {
    return false;
}

Trajectories roll_out(PolicyParts&, const Tables&, const Graphs&, const Rules&, const at::Tensor&, const Choice&) {
    refuse();
}

Trajectories roll_out(PolicyParts&, const Tables&, const Graphs&, const Rules&, const at::Tensor&,
                      const DeviceChoice&, StepRecord*) {
    refuse();
}

Likelihood log_probabilities(PolicyParts&, const Tables&, const Trajectories&, bool, const StepResources&,
                             const StepRecord&) {
    refuse();
}

StepResources step_resources(const Trajectories&, const Graphs&, const Rules&, bool) {
    refuse();
}

bool supports_features(const torch::nn::Linear&, const at::Tensor&) {
    return false;
}

Features features(const torch::nn::Linear&, const torch::nn::Linear&, const at::Tensor&,
                  const std::shared_ptr<SideWork>&) {
    refuse();
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                  const std::shared_ptr<SideWork>&, const Known&) {
    return at::linear(x, weight, bias);
}

at::Tensor norm_of_sum(torch::nn::LayerNorm& norm, const at::Tensor& x, const at::Tensor& update,
                       const std::shared_ptr<SideWork>&, const Known&) {
    return norm(x + update);
}

at::Tensor adam_update(at::Tensor&, const at::Tensor&, at::Tensor&, at::Tensor&, const at::Tensor&, double) {
    refuse();
}

}  // namespace neuroprim::train::fused

#endif
