#include "train/policy_module.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "policy/model.hpp"
#include "policy/specification.hpp"

namespace neuroprim::train {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

torch::nn::LayerNorm layer_norm(int size) {
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size}));
}

/// (1, steps, steps) lower triangle.
torch::Tensor earlier(std::int64_t steps, const torch::Tensor& like) {
    return torch::ones({1, steps, steps}, like.options().dtype(torch::kBool)).tril();
}

}  // namespace

AttentionImpl::AttentionImpl(int size, int head_count, bool sees_distances)
    : heads(head_count),
      query(register_module("query", torch::nn::Linear(size, size))),
      key(register_module("key", torch::nn::Linear(size, size))),
      value(register_module("value", torch::nn::Linear(size, size))),
      output(register_module("output", torch::nn::Linear(size, size))) {
    if (sees_distances) distance = register_parameter("distance", torch::zeros({head_count}));
}

torch::Tensor AttentionImpl::split(const torch::Tensor& x) const {
    return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
}

torch::Tensor AttentionImpl::forward(const torch::Tensor& queries, const torch::Tensor& others,
                                     const torch::Tensor& allowed, double sharpness, const torch::Tensor& distances,
                                     const torch::Tensor& terms) {
    const torch::Tensor q = split(query->forward(queries));
    const torch::Tensor k = split(key->forward(others));
    const torch::Tensor v = split(value->forward(others));
    torch::Tensor scores = q.matmul(k.transpose(2, 3)) * (sharpness / std::sqrt(static_cast<double>(q.size(3))));
    if (distance.defined()) scores = scores - distance.view({1, heads, 1, 1}) * distances.unsqueeze(1);
    if (terms.defined()) scores = scores + terms;
    if (allowed.defined()) scores = scores.masked_fill(allowed.unsqueeze(1).logical_not(), nothing);
    const torch::Tensor context = scores.softmax(3).matmul(v);  // (B, heads, Q, d/heads)
    return output->forward(context.transpose(1, 2).flatten(2, 3));
}

EncoderLayerImpl::EncoderLayerImpl(const PolicyConfig& config)
    : attention(register_module("attention", Attention(config.d_v, config.heads, policy::sees_distances(config)))),
      attention_norm(register_module("attention_norm", VertexNorm(config.d_v, policy::has_layer_norms(config)))),
      expand(register_module("expand", torch::nn::Linear(config.d_v, config.d_f))),
      contract(register_module("contract", torch::nn::Linear(config.d_f, config.d_v))),
      output_norm(register_module("output_norm", VertexNorm(config.d_v, policy::has_layer_norms(config)))) {}

torch::Tensor EncoderLayerImpl::forward(torch::Tensor x, double sharpness, const torch::Tensor& distances) {
    x = attention_norm->forward(x + attention->forward(x, x, {}, sharpness, distances));
    return output_norm->forward(x + contract->forward(expand->forward(x).relu()));
}

DecoderLayerImpl::DecoderLayerImpl(const PolicyConfig& config)
    : self_attention(register_module("self_attention", Attention(config.d_e, config.heads))),
      self_norm(register_module("self_norm", layer_norm(config.d_e))),
      edge_attention(register_module("edge_attention", Attention(config.d_e, config.heads))),
      edge_norm(register_module("edge_norm", layer_norm(config.d_e))),
      expand(register_module("expand", torch::nn::Linear(config.d_e, config.d_e))),
      contract(register_module("contract", torch::nn::Linear(config.d_e, config.d_e))),
      output_norm(register_module("output_norm", layer_norm(config.d_e))) {}

torch::Tensor DecoderLayerImpl::forward(const torch::Tensor& x, const torch::Tensor& past,
                                        const torch::Tensor& causal, const torch::Tensor& edges,
                                        const torch::Tensor& allowed, const torch::Tensor& terms) {
    torch::Tensor h = self_norm->forward(x + self_attention->forward(x, past, causal));
    h = edge_norm->forward(h + edge_attention->forward(h, edges, allowed, 1, {}, terms));
    return output_norm->forward(h + contract->forward(expand->forward(h).relu()));
}

PolicyModuleImpl::PolicyModuleImpl(const PolicyConfig& config)
    : config_(config),
      encoder(register_module("encoder", torch::nn::ModuleList())),
      graph(register_module("graph", torch::nn::Linear(config.d_v, config.d_e))),
      edge(register_module("edge", torch::nn::Linear(2 * config.d_v, config.d_e))),
      decoder(register_module("decoder", torch::nn::ModuleList())) {
    if (!policy::has_layer_norms(config)) {
        encoder_norm = register_module("encoder_norm", VertexNorm(config.d_v, false));
    }
    const auto input = register_module("input", std::make_shared<torch::nn::Module>());
    terminal_input = input->register_module("terminal", torch::nn::Linear(2, config.d_v));
    other_input = input->register_module("other", torch::nn::Linear(2, config.d_v));
    const auto action = register_module("action", std::make_shared<torch::nn::Module>());
    action_query = action->register_module("query", torch::nn::Linear(config.d_e, config.d_e));
    action_key = action->register_module("key", torch::nn::Linear(config.d_e, config.d_e));
    if (policy::sees_distances(config)) {
        distance =
            register_module("distance", torch::nn::Linear(torch::nn::LinearOptions(2, config.d_e).bias(false)));
        torch::nn::init::zeros_(distance->weight);  // so a policy without becomes the same one with
    }
    if (policy::sees_specification(config)) {
        const auto told = torch::nn::LinearOptions(policy::input_facts, config.d_v).bias(false);
        specification = register_module("specification", torch::nn::Linear(told));
        const auto row = register_module("row", std::make_shared<torch::nn::Module>());
        row_expand = row->register_module("expand", torch::nn::Linear(policy::row_facts, policy::row_width));
        row_contract =
            row->register_module("contract", torch::nn::Linear(policy::row_width, policy::row_terms(config)));
        for (auto& tensor : {specification->weight, row_contract->weight, row_contract->bias}) {
            torch::nn::init::zeros_(tensor);  // likewise
        }
    }
    for (int l = 0; l < config.encoder_layers; ++l) encoder->push_back(EncoderLayer(config));
    for (int l = 0; l < config.decoder_layers; ++l) decoder->push_back(DecoderLayer(config));
}

torch::Tensor log_distances(const torch::Tensor& points, const torch::Tensor& weights) {
    const torch::Tensor apart = points.unsqueeze(2) - points.unsqueeze(1);  // (B, n, n, 2)
    torch::Tensor lengths = apart.square().sum(3).sqrt();
    if (weights.defined()) lengths = torch::where(weights.isinf(), lengths, weights);
    return torch::log1p(std::sqrt(static_cast<double>(points.size(1))) * lengths);
}

torch::Tensor distance_features(const torch::Tensor& lengths) {
    return torch::stack({lengths, torch::exp(-lengths)}, -1);
}

torch::Tensor PolicyModuleImpl::row_terms(const torch::Tensor& facts) {
    if (row_expand.is_empty()) return {};
    return row_contract->forward(row_expand->forward(facts).relu());
}

GraphFeatures PolicyModuleImpl::encode(const torch::Tensor& coordinates, const torch::Tensor& is_terminal,
                                       const torch::Tensor& facts, const torch::Tensor& weights) {
    torch::Tensor x = torch::where(is_terminal.unsqueeze(2), terminal_input->forward(coordinates),
                                   other_input->forward(coordinates));
    if (!specification.is_empty()) x = x + specification->forward(facts);
    const double sharpness = policy::sharpness(config_, x.size(1));
    torch::Tensor lengths;
    if (policy::sees_distances(config_)) lengths = log_distances(coordinates, weights);
    for (const auto& layer : *encoder) x = layer->as<EncoderLayerImpl>()->forward(x, sharpness, lengths);
    if (!encoder_norm.is_empty()) x = encoder_norm->forward(x);
    const torch::Tensor from = x.unsqueeze(2);  // (B, n, 1, d_v)
    const torch::Tensor to = x.unsqueeze(1);    // (B, 1, n, d_v)
    torch::Tensor edges = edge->forward(torch::cat({from - to, torch::max(from, to)}, 3));
    if (lengths.defined()) edges = edges + distance->forward(distance_features(lengths));
    return {graph->forward(x.mean(1)), edges};
}

torch::Tensor PolicyModuleImpl::inputs(const GraphFeatures& features, const torch::Tensor& u,
                                       const torch::Tensor& v) const {
    const std::int64_t n = features.edges.size(1);
    const torch::Tensor at = (u * n + v).unsqueeze(2).expand({-1, -1, config_.d_e});
    const torch::Tensor edges = features.edges.flatten(1, 2).expand({u.size(0), -1, -1}).gather(1, at);
    const torch::Tensor whole = features.graph.unsqueeze(1).expand({u.size(0), u.size(1), -1});
    return torch::cat({whole, edges}, 2).unflatten(2, {-1, 2}).amax(3);  // neighbouring numbers, in pairs
}

torch::Tensor PolicyModuleImpl::flat_edges(const GraphFeatures& features) const {
    return features.edges.flatten(1, 2);
}

/// (S, heads, T, n²) of one layer: every edge of a row has the row's.
torch::Tensor PolicyModuleImpl::head_terms(const torch::Tensor& terms, std::size_t layer) const {
    if (!terms.defined()) return {};
    const auto first = static_cast<std::int64_t>(layer) * config_.heads;
    return terms.narrow(3, first, config_.heads).permute({0, 3, 1, 2}).repeat_interleave(terms.size(2), 3);
}

torch::Tensor PolicyModuleImpl::action_logits(const torch::Tensor& x, const torch::Tensor& edges,
                                              const torch::Tensor& allowed, const torch::Tensor& terms) {
    const torch::Tensor keys = action_key->forward(edges);
    torch::Tensor scores =
        action_query->forward(x).matmul(keys.transpose(1, 2)) / std::sqrt(static_cast<double>(config_.d_e));
    if (terms.defined()) scores = scores + terms.select(3, -1).repeat_interleave(terms.size(2), 2);
    return (config_.clip * scores.tanh()).masked_fill(allowed.logical_not(), nothing);
}

torch::Tensor PolicyModuleImpl::logits(const GraphFeatures& features, const torch::Tensor& inputs,
                                       const torch::Tensor& allowed, const torch::Tensor& terms) {
    const torch::Tensor edges = flat_edges(features);
    const torch::Tensor causal = earlier(inputs.size(1), inputs);
    torch::Tensor x = inputs;
    for (std::size_t l = 0; l < decoder->size(); ++l) {
        x = decoder[l]->as<DecoderLayerImpl>()->forward(x, x, causal, edges, allowed, head_terms(terms, l));
    }
    return action_logits(x, edges, allowed, terms);
}

torch::Tensor PolicyModuleImpl::step(const GraphFeatures& features, const torch::Tensor& input,
                                     const torch::Tensor& allowed, Memory& memory, const torch::Tensor& terms) {
    const torch::Tensor edges = flat_edges(features);
    const torch::Tensor mask = allowed.unsqueeze(1);
    memory.past.resize(decoder->size());
    torch::Tensor x = input;
    for (std::size_t l = 0; l < decoder->size(); ++l) {
        torch::Tensor& past = memory.past[l];
        past = past.defined() ? torch::cat({past, x}, 1) : x;
        x = decoder[l]->as<DecoderLayerImpl>()->forward(x, past, {}, edges, mask, head_terms(terms, l));
    }
    return action_logits(x, edges, mask, terms).squeeze(1);
}

void copy_weights(const Policy& from, PolicyModule& to) {
    const torch::NoGradGuard no_gradients;
    const auto tensors = from.model().tensors();
    const auto copy = [&](const auto& named) {
        for (const auto& item : named) {
            const auto found = tensors.find(item.key());
            if (found == tensors.end()) continue;  // BatchNorm's count of batches
            item.value().copy_(torch::tensor(found->second.values).view(found->second.shape));
        }
    };
    copy(to->named_parameters());
    copy(to->named_buffers());
}

void save_weights(const PolicyModule& module, const std::filesystem::path& path) {
    policy::TensorFile file;
    file.metadata = policy::to_metadata(module->config());
    const auto expected = policy::expected_tensors(module->config());
    const auto add = [&](const auto& named) {
        for (const auto& item : named) {
            const auto found = expected.find(item.key());
            if (found == expected.end()) continue;
            const torch::Tensor values = item.value().detach().to(torch::kCPU, torch::kFloat32).contiguous();
            const float* data = values.template data_ptr<float>();
            file.tensors[item.key()] = {found->second, std::vector<float>(data, data + values.numel())};
        }
    };
    add(module->named_parameters());
    add(module->named_buffers());
    policy::write_safetensors(path, file);
}

}  // namespace neuroprim::train
