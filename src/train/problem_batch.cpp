#include "train/problem_batch.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "policy/distances.hpp"
#include "policy/model.hpp"
#include "policy/planar_features.hpp"
#include "train/resources.hpp"

namespace neuroprim::train {

std::optional<std::string> reason_against_batches(const Problem& problem, const PolicyConfig& policy) {
    const TreeSpec& spec = problem.spec();
    if (!policy::are_straight(problem.weights())) {
        if (!policy::sees_weights(policy)) return "its weights are not the straight distances between points";
        if (!problem.weights().is_complete()) return "its graph is not complete";
    }
    if (!problem.is_plain() || !supports(spec)) {
        return fmt::format("\"{}\" is beyond what grows in batches", describe(spec, problem.instance()));
    }
    if (!spec.other_roots.empty()) return "it has several roots";
    if (spec.coverage == Coverage::groups && std::ranges::any_of(spec.groups, [](int g) { return g < 0; })) {
        return "some of its vertices are in no group";
    }
    return std::nullopt;
}

BatchKind batch_kind(const Problem& problem) {
    Rules rules = rules_of(problem.spec());
    if (rules.length_percent > 0) rules.length_percent = 100;  // each graph has a limit of its own
    return {problem.size(), policy::are_straight(problem.weights()), rules};
}

Graphs graphs_of(std::span<const Problem* const> problems) {
    const auto count = static_cast<std::int64_t>(problems.size());
    const auto n = static_cast<std::int64_t>(problems.front()->size());
    const TreeSpec& first = problems.front()->spec();
    Graphs graphs;
    graphs.points = at::empty({count, n, 2}, at::kFloat);
    graphs.terminals = at::empty({count, n}, at::kBool);
    if (first.capacity) graphs.demands = at::empty({count, n}, at::kFloat);
    if (first.coverage == Coverage::optional) graphs.prizes = at::empty({count, n}, at::kFloat);
    if (first.coverage == Coverage::groups) graphs.groups = at::empty({count, n}, at::kLong);
    if (first.root) graphs.roots = at::empty({count}, at::kLong);
    if (first.length) graphs.length_limits = at::empty({count}, at::kFloat);
    if (!policy::are_straight(problems.front()->weights())) graphs.weights = at::zeros({count, n, n}, at::kFloat);
    for (std::int64_t g = 0; g < count; ++g) {
        const Problem& problem = *problems[static_cast<std::size_t>(g)];
        const TreeSpec& spec = problem.spec();
        const std::vector<Point> points = policy::feature_points(problem.instance());
        Point low = points.front();
        for (const Point& p : points) low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        const auto write = [&](at::Tensor& tensor, auto value_of) {
            if (!tensor.defined()) return;
            using Number = decltype(value_of(Vertex{0}));
            Number* row = tensor.data_ptr<Number>() + g * n;
            for (Vertex v = 0; v < problem.size(); ++v) row[v] = value_of(v);
        };
        float* places = graphs.points.data_ptr<float>() + g * 2 * n;
        for (const Point& p : points) {
            *places++ = static_cast<float>(p.x - low.x);
            *places++ = static_cast<float>(p.y - low.y);
        }
        for (Vertex u = 0; u < problem.size() && graphs.weights.defined(); ++u) {
            float* row = graphs.weights.data_ptr<float>() + (g * n + u) * n;
            problem.weights().for_each_neighbour(u, [&](Vertex v, double w) { row[v] = static_cast<float>(w); });
        }
        write(graphs.terminals, [&](Vertex v) { return problem.required(v); });
        write(graphs.demands, [&](Vertex v) { return static_cast<float>(spec.demand(v)); });
        write(graphs.prizes, [&](Vertex v) { return static_cast<float>(spec.prize(v)); });
        write(graphs.groups, [&](Vertex v) { return static_cast<std::int64_t>(spec.group(v)); });
        if (spec.root) graphs.roots.data_ptr<std::int64_t>()[g] = *spec.root;
        if (spec.length) {
            graphs.length_limits.data_ptr<float>()[g] = static_cast<float>(*spec.length * (1 - resource_tolerance));
        }
    }
    return graphs;
}

at::Tensor starts_of(std::span<const Problem* const> problems, std::int64_t per_graph, bool is_greedy) {
    at::Tensor starts = at::empty({static_cast<std::int64_t>(problems.size()) * per_graph}, at::kLong);
    std::int64_t* next = starts.data_ptr<std::int64_t>();
    for (const Problem* problem : problems) {
        const std::vector<Vertex> allowed =
            is_greedy ? greedy_starts(*problem, static_cast<std::size_t>(per_graph)) : problem->starts();
        const auto count = static_cast<std::int64_t>(allowed.size());
        for (std::int64_t k = 0; k < per_graph; ++k) {
            *next++ = allowed[static_cast<std::size_t>(per_graph < count ? k * count / per_graph : k % count)];
        }
    }
    return starts;
}

}  // namespace neuroprim::train
