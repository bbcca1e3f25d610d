#include "train/teacher.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "graph/parallel.hpp"
#include "graph/tree_neighbours.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "policy/distances.hpp"
#include "search/local_search.hpp"
#include "train/resources.hpp"

namespace neuroprim::train {

namespace {

/// Where the search begins. In complete graphs of straight distances the spanning tree of the terminals is as good as
/// any construction by shortest paths, and there at once.
const Method& construction_for(const Problem& problem, const Rules& rules) {
    const bool is_simple = rules.terminals_only() && rules.is_simple();
    return is_simple && policy::are_straight(problem.weights()) ? method_named("kruskal") : default_method(problem);
}

Tree good_tree(const Problem& problem, const Method& construction, const TeacherOptions& options, std::int64_t g) {
    const Tree first = problem.pruned(construction.construct(problem, {}));
    const StopToken endless;
    const auto search = local_search_for(problem).prepare(problem, 1, endless);
    const auto worker = search->worker(options.seed, static_cast<std::uint64_t>(options.first + g));
    worker->adopt(first);
    worker->run(options.steps, endless);
    return problem.pruned(worker->tree());
}

/// A tree's edges in an order in which it can grow from `start`: of those that can come next, the one that
/// `rank(u, v)` makes least.
template <class Rank>
std::vector<Edge> growing(const TreeNeighbours& tree, Vertex start, const Rank& rank) {
    using Frontier = std::tuple<double, Vertex, Vertex>;  // rank, tree vertex, outside vertex
    std::priority_queue<Frontier, std::vector<Frontier>, std::greater<>> frontier;
    std::vector<bool> inside(index(tree.size()), false);
    const auto enter = [&](Vertex u) {
        inside[index(u)] = true;
        for (const Vertex v : tree.of(u)) {
            if (!inside[index(v)]) frontier.emplace(rank(u, v), u, v);
        }
    };
    std::vector<Edge> order;
    for (enter(start); !frontier.empty();) {
        const auto [least, u, v] = frontier.top();
        frontier.pop();
        order.push_back({u, v});
        enter(v);
    }
    return order;
}

/// Writes one trajectory into row b of tensors that hold what they hold for an empty tree.
void write(const std::vector<Edge>& order, const Problem& problem, Vertex start, Trajectories& imitated,
           std::int64_t b) {
    const std::int64_t n = imitated.vertices();
    std::int64_t* sources = imitated.sources.data_ptr<std::int64_t>() + b * (n - 1);
    std::int64_t* targets = imitated.targets.data_ptr<std::int64_t>() + b * (n - 1);
    std::int32_t* enter = imitated.enter.data_ptr<std::int32_t>() + b * n;
    std::int32_t* close = imitated.close.data_ptr<std::int32_t>() + b * n;
    Construction state(problem, start);
    std::vector<Vertex> entered = {start};
    for (std::size_t t = 0; t < order.size(); ++t) {
        const auto [u, v] = order[t];
        const auto time = static_cast<std::int32_t>(t) + 1;
        sources[t] = u;
        targets[t] = v;
        enter[v] = time;
        state.add(u, v);
        entered.push_back(v);
        const auto close_if_full = [&](Vertex w) {
            if (!state.is_open(w)) close[w] = std::min(close[w], time);
        };
        if (problem.residual_capacity_is_local()) {
            close_if_full(u);
            close_if_full(v);
        } else {
            for (const Vertex w : entered) close_if_full(w);
        }
    }
    imitated.lengths.data_ptr<std::int32_t>()[b] = static_cast<std::int32_t>(order.size());
}

}  // namespace

Instance instance_of(const Graphs& graphs, std::int64_t g) {
    const std::int64_t n = graphs.vertices();
    const float* points = graphs.points.data_ptr<float>() + g * 2 * n;
    std::vector<Point> places;
    for (std::int64_t v = 0; v < n; ++v) {
        places.push_back({static_cast<double>(points[2 * v]), static_cast<double>(points[2 * v + 1])});
    }
    Instance instance;
    if (!graphs.weights.defined()) {
        instance.weights = Weights::from_points(std::move(places));
        return instance;
    }
    const float* weights = graphs.weights.data_ptr<float>() + g * n * n;
    std::vector<double> lower;
    for (std::int64_t u = 1; u < n; ++u) lower.insert(lower.end(), weights + u * n, weights + u * n + u);
    instance.weights = Weights::from_lower_triangle(static_cast<Vertex>(n), lower);
    instance.layout = std::move(places);
    return instance;
}

TreeSpec specification_of(const Graphs& graphs, std::int64_t g, const Rules& rules, Vertex root) {
    const std::int64_t n = graphs.vertices();
    const auto row = [&](const at::Tensor& values, auto& to) {
        using Number = std::decay_t<decltype(to.front())>;
        const auto numbers = values[g].to(at::kDouble).contiguous();
        for (std::int64_t v = 0; v < n; ++v) to.push_back(static_cast<Number>(numbers.data_ptr<double>()[v]));
    };
    TreeSpec spec;
    spec.coverage = rules.coverage;
    if (rules.cost == Rules::Cost::routing_cost) spec.objective = Objective::routing_cost;
    if (rules.one_start) spec.root = root;
    if (rules.degree_limit > 0) {
        spec.degrees.assign(static_cast<std::size_t>(n), rules.degree_limit);
        spec.degrees[index(root)] -= rules.start_degree();
    }
    if (rules.hop_limit > 0) spec.hops = rules.hop_limit;
    if (rules.diameter_limit > 0) spec.diameter = rules.diameter_limit;
    if (rules.length_percent > 0) {
        spec.length = graphs.length_limits[g].item<double>() * (1 + resource_tolerance);
    }
    if (rules.capacity > 0) {
        spec.capacity = rules.capacity;
        row(graphs.demands, spec.demands);
    }
    if (graphs.prizes.defined()) row(graphs.prizes, spec.prizes);
    if (graphs.groups.defined()) row(graphs.groups, spec.groups);
    if (rules.terminals_only()) {
        const bool* terminals = graphs.terminals.data_ptr<bool>() + g * n;
        for (std::int64_t v = 0; v < n; ++v) {
            if (terminals[v]) spec.terminals.push_back(static_cast<Vertex>(v));
        }
    }
    return spec;
}

SolvedGraphs solve_graphs(const Graphs& graphs, const Rules& rules, const at::Tensor& roots,
                          const TeacherOptions& options) {
    if (rules.coverage != Coverage::all && rules.coverage != Coverage::terminals) {
        throw InputError("a teacher knows trees of all vertices or of terminals only: no groups, no prizes");
    }
    SolvedGraphs solved{graphs, std::vector<Tree>(static_cast<std::size_t>(graphs.size())),
                        at::empty({graphs.size()}, at::kFloat), rules};
    float* costs = solved.costs.data_ptr<float>();
    const std::int64_t* root = roots.data_ptr<std::int64_t>();
    parallel_for(options.threads, solved.trees.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) {
            const auto number = static_cast<std::int64_t>(g);
            const Instance instance = instance_of(graphs, number);
            const Problem problem(instance,
                                  specification_of(graphs, number, rules, static_cast<Vertex>(root[number])));
            solved.trees[g] = good_tree(problem, construction_for(problem, rules), options, number);
            costs[g] = static_cast<float>(problem.cost(solved.trees[g]));
        }
    });
    return solved;
}

Trajectories tell(const SolvedGraphs& solved, const at::Tensor& starts, Order order, std::uint64_t seed,
                  int threads) {
    const std::int64_t count = starts.size(0);
    const std::int64_t n = solved.graphs.vertices();
    const std::int64_t per_graph = count / solved.graphs.size();
    Trajectories imitated;
    imitated.start = starts;
    imitated.sources = at::zeros({count, n - 1}, at::kLong);
    imitated.targets = at::zeros({count, n - 1}, at::kLong);
    imitated.lengths = at::zeros({count}, at::kInt);
    imitated.enter = at::full({count, n}, never, at::kInt).scatter_(1, starts.unsqueeze(1), 0);
    imitated.close = at::full({count, n}, never, at::kInt);
    imitated.costs = solved.costs.repeat_interleave(per_graph);
    imitated.missing = at::zeros({count}, at::kInt);
    const std::int64_t* start = starts.data_ptr<std::int64_t>();
    const auto tell_graph = [&](std::int64_t g) {
        const TreeNeighbours tree(solved.trees[static_cast<std::size_t>(g)], static_cast<Vertex>(n));
        // Where trees have a root, all of a graph grow from it.
        const Instance instance = instance_of(solved.graphs, g);
        const auto root = static_cast<Vertex>(start[g * per_graph]);
        const Problem problem(instance, specification_of(solved.graphs, g, solved.rules, root));
        const auto weight = [&](Vertex u, Vertex v) { return instance.weights(u, v); };
        for (std::int64_t b = g * per_graph; b < (g + 1) * per_graph; ++b) {
            Random random(seed, static_cast<std::uint64_t>(b));
            const auto any = [&](Vertex, Vertex) { return random.uniform(); };
            const auto from = static_cast<Vertex>(start[b]);
            write(order == Order::cheapest ? growing(tree, from, weight) : growing(tree, from, any), problem, from,
                  imitated, b);
        }
    };
    parallel_for(threads, solved.trees.size(), 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t g = begin; g < end; ++g) tell_graph(static_cast<std::int64_t>(g));
    });
    return imitated;
}

Graphs mirrored(const Graphs& graphs, int symmetry) {
    auto x = graphs.points.select(2, 0);
    auto y = graphs.points.select(2, 1);
    if (symmetry & 1) x = 1 - x;
    if (symmetry & 2) y = 1 - y;
    if (symmetry & 4) std::swap(x, y);
    Graphs result = graphs;
    result.points = at::stack({x, y}, 2);
    return result;
}

}  // namespace neuroprim::train
