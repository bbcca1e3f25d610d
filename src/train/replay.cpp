#include "train/replay.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "train/decoder.hpp"

namespace neuroprim::train {

namespace {

/// Self-attention of every step over itself and the steps before, residual, norm. `x` is (B, T, d_e).
at::Tensor attend_to_past(DecoderParts& layer, const at::Tensor& x, std::int64_t heads) {
    const std::int64_t steps = x.size(1);
    const auto by_head = [&](const at::Tensor& y) { return y.unflatten(2, {heads, -1}).transpose(1, 2); };
    const auto query = by_head(layer.self_attention.query(x));
    const auto key = by_head(layer.self_attention.key(x));
    const auto value = by_head(layer.self_attention.value(x));
    const auto future = at::ones({steps, steps}, x.options().dtype(at::kBool)).triu(1);
    const auto scores = at::matmul(query, key.transpose(2, 3)) / std::sqrt(static_cast<double>(query.size(3)));
    const auto shares = scores.masked_fill(future, -std::numeric_limits<double>::infinity()).softmax(3);
    const auto context = at::matmul(shares, value).transpose(1, 2).flatten(2);
    return layer.self_norm(x + layer.self_attention.output(context));
}

/// (G, N·T, n, n) bool, undefined where no resource closes pairs.
at::Tensor open_pairs(const StepResources& resources, std::int64_t graphs) {
    at::Tensor result;
    const auto left = [&](const at::Tensor& x) { return x.view({graphs, -1, x.size(2), 1}); };
    if (resources.length_left.defined()) {
        result = resources.weights.unsqueeze(1) <= left(resources.length_left);
    }
    if (resources.load_left.defined()) {
        const auto fits = resources.demands.unsqueeze(1).unsqueeze(2) <= left(resources.load_left);
        result = result.defined() ? result & fits : fits;
    }
    return result;
}

/// (G, N·T, n, row_terms), undefined for a policy that is not told.
at::Tensor row_terms_of(PolicyParts& policy, const StepResources& resources, std::int64_t graphs) {
    if (!resources.facts.defined()) return {};
    const auto terms = row_terms(policy, resources.facts);
    return terms.reshape({graphs, -1, terms.size(2), terms.size(3)});
}

}  // namespace

Likelihood log_probabilities(PolicyParts& policy, const Tables& tables, const Trajectories& trajectories,
                             bool with_entropy, const StepResources& resources) {
    const std::int64_t graphs = tables.graphs();
    const std::int64_t count = trajectories.size();
    const std::int64_t steps = trajectories.sources.size(1);
    const std::int64_t heads = policy.config.heads;
    const auto per_graph = [&](const at::Tensor& x) { return x.reshape({graphs, -1, x.size(-1)}); };

    // Step t sees the action before it, step 0 the start.
    const auto shifted = [&](const at::Tensor& vertices) {
        return at::cat({trajectories.start.unsqueeze(1), vertices.narrow(1, 0, steps - 1)}, 1).view({graphs, -1});
    };
    at::Tensor x = decoder_inputs(tables, shifted(trajectories.sources), shifted(trajectories.targets));

    const auto step = at::arange(steps, trajectories.enter.options()).view({1, steps, 1});
    const auto enter = trajectories.enter.unsqueeze(1);  // (B, 1, n)
    const auto close = trajectories.close.unsqueeze(1);
    const auto past_end = step.squeeze(2) >= trajectories.lengths.unsqueeze(1);  // (B, T)
    const auto leave = resources.leave.defined() ? resources.leave.unsqueeze(1) : enter;
    const OpenEdges open(per_graph((enter <= step) & (step < close)), per_graph(leave > step),
                         past_end.view({graphs, -1}), open_pairs(resources, graphs),
                         row_terms_of(policy, resources, graphs));

    for (std::size_t l = 0; l < tables.layers.size(); ++l) {
        auto& layer = policy.decoder[l];
        const auto states = attend_to_past(layer, x.reshape({count, steps, -1}), heads);
        x = attend_to_edges(layer, per_graph(states), open, tables.layers[l], heads,
                            static_cast<std::int64_t>(l) * heads);
    }
    const auto log_p = action_log_probabilities(policy, x, open, tables);  // (G, N·T, R·n)
    const auto chosen = open.number(trajectories.sources.view({graphs, -1}), trajectories.targets.view({graphs, -1}));
    const auto total = [&](const at::Tensor& per_step) {
        return per_step.reshape({count, steps}).masked_fill(past_end, 0).sum(1);
    };
    Likelihood result;
    result.log_probabilities = total(log_p.gather(2, chosen.unsqueeze(2)));
    if (with_entropy) {
        const auto finite = log_p.masked_fill(open.mask().logical_not(), 0);
        result.entropies = total(-(finite * log_p.exp()).sum(2));
    }
    return result;
}

}  // namespace neuroprim::train
