#include "train/decoder.hpp"

#include <ATen/ATen.h>

#include <cmath>

namespace neuroprim::train {

at::Tensor decoder_inputs(const Tables& tables, const at::Tensor& u, const at::Tensor& v) {
    const std::int64_t n = tables.vertices();
    const std::int64_t width = tables.edges.size(3);
    const auto number = (u * n + v).unsqueeze(2).expand({-1, -1, width});
    const auto pool = [](const at::Tensor& x) { return x.unflatten(-1, {-1, 2}).amax(-1); };
    // Both halves have an even width, so no pair holds numbers of both and they can be pooled apart.
    const auto of_graph = pool(tables.graph).unsqueeze(1).expand({-1, u.size(1), -1});
    const auto of_edges = pool(tables.edges.flatten(1, 2).gather(1, number));
    return at::cat({of_graph, of_edges}, 2);
}

at::Tensor attend_to_edges(DecoderParts& layer, const at::Tensor& states, const OpenEdges& open,
                           const Tables::Layer& table, std::int64_t heads, std::int64_t first_term) {
    const auto context = open.attend(layer.edge_attention.query(states), table.keys, table.values, heads, first_term);
    const auto seen = layer.edge_norm(states + layer.edge_attention.output(context));
    return layer.output_norm(seen + layer.contract(at::relu(layer.expand(seen))));
}

at::Tensor row_terms(PolicyParts& policy, const at::Tensor& facts) {
    if (!facts.defined()) return {};
    return policy.row_contract(at::relu(policy.row_expand(facts)));
}

at::Tensor action_log_probabilities(PolicyParts& policy, const at::Tensor& states, const OpenEdges& open,
                                    const Tables& tables) {
    const double scale = 1 / std::sqrt(static_cast<double>(states.size(2)));
    const auto scores = open.with_row_terms(open.scores(policy.action_query(states) * scale, tables.action_keys));
    return open.masked(policy.config.clip * at::tanh(scores)).log_softmax(2);
}

}  // namespace neuroprim::train
