#include "train/costs.hpp"

#include <ATen/ATen.h>

#include "train/resources.hpp"

namespace neuroprim::train {

namespace {

/// (B, n, …) from (G, n, …): each graph's row once per trajectory.
at::Tensor per_trajectory(const at::Tensor& per_graph, std::int64_t trajectories) {
    return per_graph.repeat_interleave(trajectories / per_graph.size(0), 0);
}

/// (B, T) bool: the steps that were taken.
at::Tensor taken(const Trajectories& trajectories) {
    const auto steps = at::arange(trajectories.sources.size(1), trajectories.lengths.options());
    return steps.unsqueeze(0) < trajectories.lengths.unsqueeze(1);
}

/// (B, T) float: the weight of every edge, 0 after the end.
at::Tensor weights_of_edges(const Trajectories& trajectories, const Graphs& graphs) {
    if (graphs.weights.defined()) {
        const auto numbers = trajectories.sources * graphs.vertices() + trajectories.targets;
        return edge_weights(graphs).flatten(1).gather(1, numbers.view({graphs.size(), -1})).view_as(numbers);
    }
    const auto points = per_trajectory(graphs.points, trajectories.size());  // (B, n, 2)
    const auto at_vertices = [&](const at::Tensor& vertices) {
        return points.gather(1, vertices.unsqueeze(2).expand({-1, -1, 2}));
    };
    return (at_vertices(trajectories.sources) - at_vertices(trajectories.targets)).square().sum(2).sqrt();
}

/// An edge with k vertices on its far side lies on k(n − k) paths. Steps in reverse see children before parents, so
/// sizes of subtrees are complete when they are read.
at::Tensor routing_cost(const Trajectories& trajectories, const at::Tensor& weights) {
    const auto steps = taken(trajectories);
    const std::int64_t n = trajectories.vertices();
    auto sizes = at::ones({trajectories.size(), n}, weights.options());
    auto cost = at::zeros({trajectories.size()}, weights.options());
    for (std::int64_t t = trajectories.sources.size(1) - 1; t >= 0; --t) {
        const auto below = sizes.gather(1, trajectories.targets.narrow(1, t, 1)) * steps.narrow(1, t, 1);
        cost += weights.select(1, t) * (below * (n - below)).squeeze(1);
        sizes.scatter_add_(1, trajectories.sources.narrow(1, t, 1), below);
    }
    return cost;
}

/// Prizes of what strong pruning leaves out, and the weight of the rest. Steps in reverse see children before
/// parents.
at::Tensor prize_cost(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules,
                      const at::Tensor& weights) {
    const auto prizes = per_trajectory(graphs.prizes.to(weights.options()), trajectories.size());
    auto worth = prizes.clone();  // of the best part below each vertex that holds it
    const auto steps = taken(trajectories);
    for (std::int64_t t = trajectories.sources.size(1) - 1; t >= 0; --t) {
        const auto gain = worth.gather(1, trajectories.targets.narrow(1, t, 1)) - weights.narrow(1, t, 1);
        worth.scatter_add_(1, trajectories.sources.narrow(1, t, 1), gain.clamp_min(0) * steps.narrow(1, t, 1));
    }
    const auto at_start = worth.gather(1, trajectories.start.unsqueeze(1)).squeeze(1);
    const auto inside = trajectories.enter <= trajectories.lengths.unsqueeze(1);
    const auto best = rules.one_start ? at_start : (worth * inside).amax(1);
    return prizes.sum(1) - best;
}

/// (B, n) float: the weights of the edges between the start and each vertex.
at::Tensor ways_from_start(const Trajectories& trajectories, const Graphs& graphs) {
    if (graphs.weights.defined()) {
        const auto starts = trajectories.start.view({graphs.size(), -1, 1}).expand({-1, -1, graphs.vertices()});
        return edge_weights(graphs).gather(1, starts).flatten(0, 1);
    }
    const auto points = per_trajectory(graphs.points, trajectories.size());
    const auto from = points.gather(1, trajectories.start.view({-1, 1, 1}).expand({-1, 1, 2}));
    return (points - from).square().sum(2).sqrt();
}

/// Twice the straight ways from the start to what is missing; groups that are missing cost the square's side each.
at::Tensor dead_end_cost(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules) {
    if (graphs.groups.defined()) return trajectories.missing.to(graphs.points.options());
    const auto way = ways_from_start(trajectories, graphs);
    const auto outside = (trajectories.enter > trajectories.lengths.unsqueeze(1)) &
                         per_trajectory(wanted_vertices(graphs, rules), trajectories.size());
    const auto sum = 2 * (way * outside).sum(1);
    return rules.cost == Rules::Cost::routing_cost ? sum * static_cast<double>(graphs.vertices()) : sum;
}

}  // namespace

at::Tensor wanted_vertices(const Graphs& graphs, const Rules& rules) {
    switch (rules.coverage) {
        case Coverage::terminals:
            return graphs.terminals;
        case Coverage::groups:
            return graphs.groups >= 0;
        case Coverage::optional:
            return graphs.prizes > 0;
        case Coverage::all:
            break;
    }
    return at::ones_like(graphs.terminals);
}

at::Tensor kept_edges(const Trajectories& trajectories, const Graphs& graphs) {
    auto needed = per_trajectory(graphs.terminals, trajectories.size()).to(at::kInt);  // (B, n)
    auto kept = taken(trajectories);
    for (std::int64_t t = trajectories.sources.size(1) - 1; t >= 0; --t) {
        auto here = kept.narrow(1, t, 1);
        here.logical_and_(needed.gather(1, trajectories.targets.narrow(1, t, 1)) > 0);
        needed.scatter_add_(1, trajectories.sources.narrow(1, t, 1), here.to(at::kInt));
    }
    return kept;
}

at::Tensor tree_costs(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules) {
    const auto weights = weights_of_edges(trajectories, graphs);
    if (rules.coverage == Coverage::optional) return prize_cost(trajectories, graphs, rules, weights);
    const auto missing = rules.may_end_early() ? dead_end_cost(trajectories, graphs, rules)
                                               : at::zeros({trajectories.size()}, weights.options());
    const auto taken_weights = weights * taken(trajectories);
    if (rules.cost == Rules::Cost::routing_cost) return routing_cost(trajectories, taken_weights) + missing;
    auto all = taken_weights.sum(1) + missing;
    if (!rules.terminals_only()) return all;
    const auto kept = (weights * kept_edges(trajectories, graphs)).sum(1) + missing;
    return kept + rules.pruned_edge_penalty * (all - kept);
}

}  // namespace neuroprim::train
