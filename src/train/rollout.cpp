#include "train/rollout.hpp"

#include <ATen/ATen.h>

#include <cmath>

#include "train/costs.hpp"
#include "train/decoder.hpp"
#include "train/instances.hpp"
#include "train/policy_parts.hpp"
#include "train/resources.hpp"

namespace neuroprim::train {

namespace {

/// Keys and values of the steps so far, for one decoder layer.
class Memory {
public:
    Memory(std::int64_t count, std::int64_t steps, const at::Tensor& like)
        : keys_(at::empty({count, steps, like.size(-1)}, like.options())), values_(at::empty_like(keys_)) {}

    /// Self-attention of the newest step, residual, norm. `x` is (B, d_e).
    at::Tensor attend(DecoderParts& layer, const at::Tensor& x, std::int64_t heads) {
        keys_.select(1, filled_).copy_(layer.self_attention.key(x));
        values_.select(1, filled_).copy_(layer.self_attention.value(x));
        ++filled_;
        const auto by_head = [&](const at::Tensor& y) { return y.unflatten(-1, {heads, -1}); };
        const auto query = by_head(layer.self_attention.query(x)).unsqueeze(2);      // (B, H, 1, ·)
        const auto keys = by_head(keys_.narrow(1, 0, filled_)).transpose(1, 2);      // (B, H, t, ·)
        const auto values = by_head(values_.narrow(1, 0, filled_)).transpose(1, 2);  // (B, H, t, ·)
        const auto scores = at::matmul(query, keys.transpose(2, 3)) / std::sqrt(static_cast<double>(keys.size(3)));
        const auto context = at::matmul(scores.softmax(3), values).flatten(1);
        return layer.self_norm(x + layer.self_attention.output(context));
    }

private:
    at::Tensor keys_;    // (B, T, d_e)
    at::Tensor values_;  // (B, T, d_e)
    std::int64_t filled_ = 0;
};

/// The trees while they grow.
struct Growth {
    Trajectories trees;
    Resources resources;
    at::Tensor is_wanted;  // (B, n) int32: those that must be in before the tree is grown
    at::Tensor active;     // (B) bool

    Growth(const Graphs& graphs, const Rules& rules, const at::Tensor& starts) : resources(graphs, rules, starts) {
        const std::int64_t count = starts.size(0);
        const std::int64_t n = graphs.vertices();
        const auto ints = starts.options().dtype(at::kInt);
        trees.start = starts;
        trees.sources = at::zeros({count, n - 1}, starts.options());
        trees.targets = at::zeros({count, n - 1}, starts.options());
        trees.lengths = at::zeros({count}, ints);
        trees.enter = at::full({count, n}, never, ints).scatter_(1, starts.unsqueeze(1), 0);
        trees.close = at::full({count, n}, never, ints);
        is_wanted = wanted_vertices(graphs, rules).to(at::kInt).repeat_interleave(count / graphs.size(), 0);
        // Of a group one vertex is wanted, and no second one can join.
        const auto all = graphs.groups.defined()
                             ? (graphs.groups.amax(1) + 1).to(at::kInt).repeat_interleave(count / graphs.size(), 0)
                             : is_wanted.sum(1).to(at::kInt);
        trees.missing = all - is_wanted.gather(1, starts.unsqueeze(1)).squeeze(1);
        active = trees.missing > 0;
    }

    /// Step t joins `v` through `u`, both (B, 1), in every tree that is not finished.
    void add(std::int32_t t, const at::Tensor& u, const at::Tensor& v) {
        const auto moves = active.unsqueeze(1);  // (B, 1)
        const auto joined = at::full_like(moves, t + 1, trees.enter.options());
        trees.sources.select(1, t).copy_((u * moves).squeeze(1));
        trees.targets.select(1, t).copy_((v * moves).squeeze(1));
        trees.lengths += active.to(at::kInt);
        trees.enter.scatter_(1, v, at::where(moves, joined, trees.enter.gather(1, v)));
        resources.add(u, v, moves);
        const auto closes = resources.full() & (trees.enter <= t + 1) & moves;
        trees.close = at::where(closes, trees.close.clamp_max(t + 1), trees.close);
        trees.missing -= (is_wanted.gather(1, v) * moves).squeeze(1).to(at::kInt);
        active = active & (trees.missing > 0);
    }
};

/// (G, N) number of the chosen candidate. Sampling inverts the distribution function at one uniform number per tree.
at::Tensor choose(const at::Tensor& log_p, const at::Tensor& uniform, bool greedy) {
    if (greedy) return log_p.argmax(2);
    const auto cumulative = log_p.exp().cumsum(2);
    const auto total = cumulative.narrow(2, cumulative.size(2) - 1, 1);
    const auto first_above = (cumulative <= uniform.unsqueeze(2) * total).sum(2);
    const auto last_open = (cumulative < total).sum(2);  // where rounding would lead past the end
    return at::minimum(first_above, last_open);
}

}  // namespace

Trajectories roll_out(PolicyParts& policy, const Tables& tables, const Graphs& graphs, const Rules& rules,
                      const at::Tensor& starts, const Choice& choice, at::Tensor* log_probabilities) {
    const at::NoGradGuard no_gradients;
    const std::int64_t count = starts.size(0);
    const std::int64_t n = graphs.vertices();
    const std::int64_t per_graph = count / graphs.size();
    const std::int64_t heads = policy.config.heads;
    const auto by_graph = [&](const at::Tensor& x) {
        return x.dim() == 1 ? x.view({graphs.size(), per_graph}) : x.view({graphs.size(), per_graph, -1});
    };
    at::Tensor uniform;
    if (!choice.greedy) uniform = draw_uniform(choice, count, n - 1).to(tables.edges.options());
    std::vector<Memory> memories;
    for (std::size_t l = 0; l < tables.layers.size(); ++l) memories.emplace_back(count, n - 1, tables.edges);

    Growth growth(graphs, rules, starts);
    at::Tensor sum = at::zeros({count}, tables.edges.options());
    at::Tensor u = by_graph(starts);
    at::Tensor v = u;
    const bool is_told = !policy.row_expand.is_empty();
    const at::Tensor weights = rules.length_percent > 0 ? edge_weights(graphs) : at::Tensor();
    for (std::int32_t t = 0; t < n - 1; ++t) {
        const auto& trees = growth.trees;
        const auto rows = by_graph((trees.enter <= t) & (t < trees.close));
        const auto columns = by_graph((graphs.groups.defined() ? leave_times(trees.enter, graphs) : trees.enter) > t);
        at::Tensor pairs;  // (G, N, n, n)
        if (rules.length_percent > 0) {
            pairs = weights.unsqueeze(1) <= by_graph(growth.resources.length_left()).unsqueeze(3);
        }
        if (rules.capacity > 0) {
            const auto fits =
                graphs.demands.view({-1, 1, 1, n}) <= by_graph(growth.resources.load_left()).unsqueeze(3);
            pairs = pairs.defined() ? pairs & fits : fits;
        }
        if (rules.may_end_early()) {
            const auto possible = pairs.defined()
                                      ? (pairs & rows.unsqueeze(3) & columns.unsqueeze(2)).flatten(2).any(2)
                                      : rows.any(2) & columns.any(2);
            growth.active = growth.active & possible.flatten();
        }
        if (!growth.active.any().item<bool>()) break;
        at::Tensor terms;
        if (is_told) terms = row_terms(policy, growth.resources.facts()).unflatten(0, {graphs.size(), per_graph});
        const OpenEdges open(rows, columns, by_graph(growth.active.logical_not()), pairs, terms);
        at::Tensor x = decoder_inputs(tables, u, v);
        for (std::size_t l = 0; l < memories.size(); ++l) {
            auto& layer = policy.decoder[l];
            const auto states = memories[l].attend(layer, x.flatten(0, 1), heads);
            x = attend_to_edges(layer, by_graph(states), open, tables.layers[l], heads,
                                static_cast<std::int64_t>(l) * heads);
        }
        const auto log_p = action_log_probabilities(policy, x, open, tables);
        const auto number =
            choose(log_p, choice.greedy ? at::Tensor() : by_graph(uniform.select(1, t)), choice.greedy);
        u = open.source(number);
        v = number.remainder(n);
        sum += log_p.gather(2, number.unsqueeze(2)).flatten() * growth.active;
        growth.add(t, u.reshape({count, 1}), v.reshape({count, 1}));
    }
    if (log_probabilities != nullptr) *log_probabilities = sum;
    growth.trees.costs = tree_costs(growth.trees, graphs, rules);
    return growth.trees;
}

}  // namespace neuroprim::train
