#include "train/teacher.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "graph/parallel.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "search/local_search.hpp"
#include "train/costs.hpp"

namespace neuroprim::train {

namespace {

Instance instance_of(const Graphs& graphs, std::int64_t g) {
    const std::int64_t n = graphs.vertices();
    const float* points = graphs.points.data_ptr<float>() + g * 2 * n;
    const bool* terminals = graphs.terminals.data_ptr<bool>() + g * n;
    std::vector<Point> places;
    Instance instance;
    for (std::int64_t v = 0; v < n; ++v) {
        places.push_back({static_cast<double>(points[2 * v]), static_cast<double>(points[2 * v + 1])});
        if (terminals[v]) instance.terminals.push_back(static_cast<Vertex>(v));
    }
    instance.weights = Weights::from_points(std::move(places));
    return instance;
}

std::unique_ptr<Problem> problem_of(const Instance& instance, const Rules& rules, Vertex root) {
    if (rules.terminals_only) return make_problem("stp", instance);
    if (rules.cost == Rules::Cost::routing_cost) return make_problem("mrcst", instance);
    if (rules.hop_limit > 0) return make_problem("hmst", instance, {.root = root, .hops = rules.hop_limit});
    if (rules.degree_limit > 0) return make_problem("dcmst", instance, {.degree = rules.degree_limit});
    return make_problem("mst", instance);
}

Tree good_tree(const Problem& problem, const TeacherOptions& options, std::int64_t g) {
    const Tree first = problem.tidied(default_method(problem).construct(problem, {}));
    const Watch endless;
    const auto search = local_search_for(problem).prepare(problem, 1, endless);
    const auto lane = search->lane(options.seed, static_cast<std::uint64_t>(options.first + g));
    lane->adopt(first);
    lane->run(options.steps, endless);
    return problem.tidied(lane->tree());
}

/// The tree's edges in the order in which Prim's algorithm would find them.
std::vector<Edge> cheapest_first(const Tree& tree, Vertex start, const Weights& weights) {
    std::vector<std::vector<Vertex>> neighbours(index(weights.size()));
    for (const auto& [u, v] : tree.edges) {
        neighbours[index(u)].push_back(v);
        neighbours[index(v)].push_back(u);
    }
    using Frontier = std::tuple<double, Vertex, Vertex>;  // weight, tree vertex, outside vertex
    std::priority_queue<Frontier, std::vector<Frontier>, std::greater<>> frontier;
    std::vector<bool> inside(index(weights.size()), false);
    const auto enter = [&](Vertex u) {
        inside[index(u)] = true;
        for (const Vertex v : neighbours[index(u)]) {
            if (!inside[index(v)]) frontier.emplace(weights(u, v), u, v);
        }
    };
    std::vector<Edge> order;
    for (enter(start); !frontier.empty();) {
        const auto [weight, u, v] = frontier.top();
        frontier.pop();
        order.push_back({u, v});
        enter(v);
    }
    return order;
}

/// Writes one trajectory into row b of tensors that hold what they hold for an empty tree.
void write(const std::vector<Edge>& order, const Rules& rules, Trajectories& lesson, std::int64_t b) {
    const std::int64_t n = lesson.vertices();
    std::int64_t* sources = lesson.sources.data_ptr<std::int64_t>() + b * (n - 1);
    std::int64_t* targets = lesson.targets.data_ptr<std::int64_t>() + b * (n - 1);
    std::int32_t* enter = lesson.enter.data_ptr<std::int32_t>() + b * n;
    std::int32_t* close = lesson.close.data_ptr<std::int32_t>() + b * n;
    std::vector<int> degree(static_cast<std::size_t>(n), 0);
    std::vector<int> depth(static_cast<std::size_t>(n), 0);
    for (std::size_t t = 0; t < order.size(); ++t) {
        const auto [u, v] = order[t];
        const auto time = static_cast<std::int32_t>(t) + 1;
        sources[t] = u;
        targets[t] = v;
        enter[v] = time;
        ++degree[index(u)];
        ++degree[index(v)];
        depth[index(v)] = depth[index(u)] + 1;
        for (const Vertex end : {u, v}) {
            const bool full = (rules.degree_limit > 0 && degree[index(end)] >= rules.degree_limit) ||
                              (rules.hop_limit > 0 && depth[index(end)] >= rules.hop_limit);
            if (full) close[end] = std::min(close[end], time);
        }
    }
    lesson.lengths.data_ptr<std::int32_t>()[b] = static_cast<std::int32_t>(order.size());
}

}  // namespace

Trajectories teach(const Graphs& graphs, const Rules& rules, const at::Tensor& starts,
                   const TeacherOptions& options) {
    const std::int64_t count = starts.size(0);
    const std::int64_t n = graphs.vertices();
    const std::int64_t per_graph = count / graphs.size();
    Trajectories lesson;
    lesson.start = starts;
    lesson.sources = at::zeros({count, n - 1}, at::kLong);
    lesson.targets = at::zeros({count, n - 1}, at::kLong);
    lesson.lengths = at::zeros({count}, at::kInt);
    lesson.enter = at::full({count, n}, never, at::kInt).scatter_(1, starts.unsqueeze(1), 0);
    lesson.close = at::full({count, n}, never, at::kInt);
    const std::int64_t* start = starts.data_ptr<std::int64_t>();
    parallel_for(
        options.threads, static_cast<std::size_t>(graphs.size()), 1, [&](std::size_t begin, std::size_t end) {
            for (auto g = static_cast<std::int64_t>(begin); g < static_cast<std::int64_t>(end); ++g) {
                const Instance instance = instance_of(graphs, g);
                const auto problem = problem_of(instance, rules, static_cast<Vertex>(start[g * per_graph]));
                const Tree tree = good_tree(*problem, options, g);
                for (std::int64_t b = g * per_graph; b < (g + 1) * per_graph; ++b) {
                    write(cheapest_first(tree, static_cast<Vertex>(start[b]), instance.weights), rules, lesson, b);
                }
            }
        });
    lesson.costs = tree_costs(lesson, graphs, rules);
    return lesson;
}

}  // namespace neuroprim::train
