#include "train/encoder.hpp"

#include <ATen/ATen.h>

#include <cmath>

#include "policy/model.hpp"
#include "train/distributed.hpp"
#include "train/fused.hpp"
#include "train/fused_encoder.hpp"
#include "train/fused_input.hpp"
#include "train/fused_projections.hpp"
#include "train/instances.hpp"
#include "train/policy_module.hpp"
#include "train/resources.hpp"

namespace neuroprim::train {

namespace {

/// Batch norm of (rows, d) over the rows of all processes.
at::Tensor norm_over_group(VertexNormImpl& norm, const at::Tensor& x, const ProcessGroup& group) {
    const auto own = at::full({1}, static_cast<double>(x.size(0)), x.options());
    const auto sums = group.differentiable_sum(at::cat({x.sum(0), own}));
    const auto count = sums.narrow(0, x.size(1), 1).detach();
    const auto mean = sums.narrow(0, 0, x.size(1)) / count;
    const auto centred = x - mean;
    const auto variance = group.differentiable_sum(centred.square().sum(0)) / count;
    {
        const at::NoGradGuard no_gradients;
        constexpr double momentum = VertexNormImpl::momentum;
        norm.running_mean.mul_(1 - momentum).add_(mean, momentum);
        norm.running_var.mul_(1 - momentum).add_(variance * (count / (count - 1)), momentum);
    }
    return centred * (variance + VertexNormImpl::epsilon).rsqrt() * norm.weight + norm.bias;
}

at::Tensor normed(VertexNorm& norm, const at::Tensor& x, const ProcessGroup& group) {
    const bool joint = norm->is_over_batch() && norm->is_training() && group.size() > 1;
    return joint ? norm_over_group(*norm, x.flatten(0, 1), group).view_as(x) : norm->forward(x);
}

/// Queries, keys and values in one product: their weights are joined, and queries carry the scale of the scores.
at::Tensor self_attention(AttentionParts& attention, const at::Tensor& x, std::int64_t heads, double sharpness,
                          const at::Tensor& lengths) {
    const std::int64_t head_width = x.size(2) / heads;
    const double scale = sharpness / std::sqrt(static_cast<double>(head_width));
    const auto& [query, key, value, output, distance] = attention;
    const auto weight = at::cat({query->weight * scale, key->weight, value->weight});
    const auto bias = at::cat({query->bias * scale, key->bias, value->bias});
    const auto projected = fused::linear(x, weight, bias).unflatten(2, {3, heads, -1});  // (G, n, 3, heads, size)
    const auto by_head = projected.permute({2, 0, 3, 1, 4}).contiguous().flatten(1, 2);  // (3, G·heads, n, size)
    at::Tensor scores = at::bmm(by_head.select(0, 0), by_head.select(0, 1).transpose(1, 2));
    if (lengths.defined()) {
        scores = at::addcmul(scores.unflatten(0, {x.size(0), heads}), distance.view({heads, 1, 1}),
                             lengths.unsqueeze(1), -1)
                     .flatten(0, 1);
    }
    const auto context = at::bmm(scores.softmax(2), by_head.select(0, 2));
    const auto joined = context.unflatten(0, {x.size(0), heads}).transpose(1, 2).flatten(2);  // (G, n, d_v)
    return fused::linear(output, joined);
}

at::Tensor feed_forward(EncoderParts& layer, const at::Tensor& x) {
    return fused::linear(layer.contract, at::relu(fused::linear(layer.expand, x)));
}

/// (G, n, n, d_e). The difference half is linear in each vertex, so only the maximum needs all pairs.
at::Tensor edge_features(const torch::nn::Linear& edge, const at::Tensor& x) {
    const std::int64_t d_v = x.size(2);
    const auto difference = at::matmul(x, edge->weight.narrow(1, 0, d_v).t());
    const auto maximum = at::maximum(x.unsqueeze(2), x.unsqueeze(1));
    return at::linear(maximum, edge->weight.narrow(1, d_v, d_v), edge->bias) + difference.unsqueeze(2) -
           difference.unsqueeze(1);
}

fused::VertexInput vertex_input(PolicyParts& policy, const Graphs& graphs) {
    const auto coordinates = in_unit_square(graphs.points);
    const auto x =
        at::where(graphs.terminals.unsqueeze(2), policy.terminal_input(coordinates), policy.other_input(coordinates));
    return {x, coordinates};
}

/// The encoder's layers and its last norm, where there is one.
at::Tensor encode_vertices(PolicyParts& policy, at::Tensor x, double sharpness, const at::Tensor& lengths,
                           const ProcessGroup& group) {
    for (EncoderParts& layer : policy.encoder) {
        const auto seen = self_attention(layer.attention, x, policy.config.heads, sharpness, lengths);
        x = normed(layer.attention_norm, x + seen, group);
        x = normed(layer.output_norm, x + feed_forward(layer, x), group);
    }
    return policy.encoder_norm.is_empty() ? x : normed(policy.encoder_norm, x, group);
}

}  // namespace

Tables encode(PolicyParts& policy, const Graphs& graphs, const ProcessGroup& group, const Rules& rules,
              const std::shared_ptr<SideWork>& side) {
    auto [x, coordinates] = fused::supports_vertex_input(policy, graphs) ? fused::vertex_input(policy, graphs)
                                                                         : vertex_input(policy, graphs);
    if (neuroprim::policy::sees_specification(policy.config)) {
        x = x + at::matmul(input_facts(graphs, rules, coordinates), policy.specification->weight.t());
    }
    const double sharpness = neuroprim::policy::sharpness(policy.config, x.size(1));
    at::Tensor weights;
    if (neuroprim::policy::sees_weights(policy.config) && graphs.weights.defined()) {
        weights = edge_weights(graphs) * weight_units(graphs).unsqueeze(2);
    }
    at::Tensor lengths;
    if (neuroprim::policy::sees_distances(policy.config)) lengths = log_distances(coordinates, weights);
    const bool fast = group.size() == 1 && fused::supports_encoder(policy, x);
    x = fast ? fused::encode_vertices(policy, x, sharpness, lengths)
             : encode_vertices(policy, x, sharpness, lengths, group);

    Tables tables;
    tables.side = side;
    if (fused::supports_features(policy.edge, x)) {
        const fused::Features features = fused::features(policy.edge, policy.graph, x, side);
        tables.edges = features.edges;
        tables.graph = features.graph;
    } else {
        tables.edges = edge_features(policy.edge, x);
        tables.graph = policy.graph(x.mean(1));
    }
    if (lengths.defined()) {
        const auto told = distance_features(lengths).flatten(0, 2);
        tables.edges = at::addmm(tables.edges.flatten(0, 2), told, policy.distance->weight.t()).view_as(tables.edges);
    }
    if (fused::supports_edge_projections(policy, tables.edges)) {
        fused::project_edges(policy, tables);
        return tables;
    }
    for (DecoderParts& layer : policy.decoder) {
        tables.layers.push_back({fused::linear(layer.edge_attention.key, tables.edges, side),
                                 fused::linear(layer.edge_attention.value, tables.edges, side)});
    }
    tables.action_keys = fused::linear(policy.action_key, tables.edges, side);
    return tables;
}

}  // namespace neuroprim::train
