#include "train/rollout.hpp"

#include <ATen/ATen.h>

#include <cmath>

#include "train/costs.hpp"
#include "train/decoder.hpp"
#include "train/instances.hpp"

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
    at::Tensor degree;             // (B, n) int32
    at::Tensor depth;              // (B, n) int32
    at::Tensor terminals_outside;  // (B) int32
    at::Tensor is_terminal;        // (B, n) int32
    at::Tensor active;             // (B) bool

    Growth(const Graphs& graphs, const Rules& rules, const at::Tensor& starts) {
        const std::int64_t count = starts.size(0);
        const std::int64_t n = graphs.vertices();
        const auto ints = starts.options().dtype(at::kInt);
        trees.start = starts;
        trees.sources = at::zeros({count, n - 1}, starts.options());
        trees.targets = at::zeros({count, n - 1}, starts.options());
        trees.lengths = at::zeros({count}, ints);
        trees.enter = at::full({count, n}, never, ints).scatter_(1, starts.unsqueeze(1), 0);
        trees.close = at::full({count, n}, never, ints);
        degree = at::zeros({count, n}, ints);
        depth = at::zeros({count, n}, ints);
        const auto required = rules.terminals_only ? graphs.terminals : at::ones_like(graphs.terminals);
        is_terminal = required.to(at::kInt).repeat_interleave(count / graphs.size(), 0);
        terminals_outside = (is_terminal.sum(1) - is_terminal.gather(1, starts.unsqueeze(1)).squeeze(1)).to(at::kInt);
        active = terminals_outside > 0;
    }

    /// Step t joins `v` through `u`, both (B, 1), in every tree that is not finished.
    void add(std::int32_t t, const at::Tensor& u, const at::Tensor& v, const Rules& rules) {
        const auto moves = active.unsqueeze(1);  // (B, 1)
        const auto put = [&](at::Tensor& table, const at::Tensor& at, const at::Tensor& value) {
            table.scatter_(1, at, at::where(moves, value, table.gather(1, at)));
        };
        const auto joined = at::full_like(moves, t + 1, trees.enter.options());
        trees.sources.select(1, t).copy_((u * moves).squeeze(1));
        trees.targets.select(1, t).copy_((v * moves).squeeze(1));
        trees.lengths += active.to(at::kInt);
        put(trees.enter, v, joined);
        put(depth, v, depth.gather(1, u) + 1);
        degree.scatter_add_(1, u, moves.to(at::kInt));
        degree.scatter_add_(1, v, moves.to(at::kInt));
        for (const auto& end : {u, v}) {
            auto full = at::zeros_like(moves);
            if (rules.degree_limit > 0) full = full | (degree.gather(1, end) >= rules.degree_limit);
            if (rules.hop_limit > 0) full = full | (depth.gather(1, end) >= rules.hop_limit);
            put(trees.close, end,
                at::where(full, trees.close.gather(1, end).minimum(joined), trees.close.gather(1, end)));
        }
        terminals_outside -= (is_terminal.gather(1, v) * moves).squeeze(1).to(at::kInt);
        active = terminals_outside > 0;
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
    for (std::int32_t t = 0; t < n - 1; ++t) {
        if (!growth.active.any().item<bool>()) break;
        const auto& trees = growth.trees;
        const OpenEdges open(by_graph((trees.enter <= t) & (t < trees.close)), by_graph(trees.enter > t),
                             by_graph(growth.active.logical_not()));
        at::Tensor x = decoder_inputs(tables, u, v);
        for (std::size_t l = 0; l < memories.size(); ++l) {
            auto& layer = policy.decoder[l];
            const auto states = memories[l].attend(layer, x.flatten(0, 1), heads);
            x = attend_to_edges(layer, by_graph(states), open, tables.layers[l], heads);
        }
        const auto log_p = action_log_probabilities(policy, x, open, tables);
        const auto number =
            choose(log_p, choice.greedy ? at::Tensor() : by_graph(uniform.select(1, t)), choice.greedy);
        u = open.source(number);
        v = number.remainder(n);
        sum += log_p.gather(2, number.unsqueeze(2)).flatten() * growth.active;
        growth.add(t, u.reshape({count, 1}), v.reshape({count, 1}), rules);
    }
    if (log_probabilities != nullptr) *log_probabilities = sum;
    growth.trees.costs = tree_costs(growth.trees, graphs, rules);
    return growth.trees;
}

}  // namespace neuroprim::train
