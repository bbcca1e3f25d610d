#include "steiner/search_graph.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/mst.hpp"
#include "steiner/edge_filter.hpp"

namespace neuroprim::steiner {

namespace {

/// Point pairs are all looked at up to this many points; beyond, nearest neighbours must do.
constexpr Vertex all_pairs_limit = 12'000;
/// Point graphs keep up to this many edges per vertex before they fall back on nearest neighbours.
constexpr std::size_t edges_per_vertex = 64;
constexpr std::size_t neighbours_kept = 12;
/// Complete graphs with prizes keep all their edges up to this many.
constexpr std::size_t edges_with_prizes = 200'000;

bool is_whole(double weight) {
    return weight == std::floor(weight) && weight < 1e15;
}

std::unique_ptr<SearchGraph> empty_graph(const Problem& problem) {
    auto result =
        std::make_unique<SearchGraph>(SearchGraph{Graph(problem.size(), std::make_shared<Origins>()), true, true});
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (problem.required(v)) {
            result->graph.make_terminal(v);
        } else if (const double prize = problem.spec().prize(v); prize > 0) {
            result->graph.set_prize(v, prize);
            result->whole_weights = result->whole_weights && is_whole(prize);
        }
    }
    return result;
}

void add_all(SearchGraph& result, const std::vector<WeightedEdge>& edges) {
    auto origins = std::make_shared<Origins>();
    Graph graph(result.graph.size(), origins);
    for (Vertex v = 0; v < graph.size(); ++v) {
        if (result.graph.is_terminal(v)) graph.make_terminal(v);
        graph.set_prize(v, result.graph.prize(v));
    }
    for (const WeightedEdge& edge : edges) {
        graph.add_new(edge.u, edge.v, edge.weight, origins->input(edge.u, edge.v));
        result.whole_weights = result.whole_weights && is_whole(edge.weight);
    }
    result.graph = std::move(graph);
}

/// Nearest neighbours and the minimum spanning trees of all points and of the terminals.
std::vector<WeightedEdge> short_list(const Problem& problem, const std::vector<Vertex>& terminals,
                                     const StopToken& stop) {
    const Weights& weights = problem.weights();
    const auto interrupted = [&stop] { return stop.expired(); };
    std::vector<Edge> pairs;
    const Neighbours near = nearest_neighbours(weights, neighbours_kept, 1, stop);
    for (Vertex u = 0; u < problem.size(); ++u) {
        for (const Vertex v : near.of(u)) pairs.push_back({std::min(u, v), std::max(u, v)});
    }
    for (const Edge& edge : minimum_spanning_tree(weights, 1, interrupted).edges) {
        pairs.push_back({std::min(edge.u, edge.v), std::max(edge.u, edge.v)});
    }
    if (terminals.size() > 1) {
        for (const Edge& edge : minimum_spanning_tree(induced(weights, terminals), 1, interrupted).edges) {
            const Vertex u = terminals[index(edge.u)];
            const Vertex v = terminals[index(edge.v)];
            pairs.push_back({std::min(u, v), std::max(u, v)});
        }
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const Edge& a, const Edge& b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<WeightedEdge> edges;
    edges.reserve(pairs.size());
    for (const Edge& pair : pairs) edges.push_back({pair.u, pair.v, weights(pair.u, pair.v)});
    return edges;
}

std::vector<Vertex> terminals_of(const Problem& problem) {
    std::vector<Vertex> result;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (problem.required(v)) result.push_back(v);
    }
    return result;
}

}  // namespace

std::unique_ptr<SearchGraph> exact_graph(const Problem& problem, const StopToken& stop) {
    auto result = empty_graph(problem);
    const Weights& weights = problem.weights();
    const bool is_points = weights.form() == Weights::Form::points;
    // No special path is plain to see where hardly a vertex is known to be in the tree.
    const bool takes_all = weights.form() == Weights::Form::sparse ||
                           (result->graph.has_prizes() && weights.edge_count() <= edges_with_prizes);
    if (takes_all) {
        add_all(*result, weights.edges());
        return result;
    }
    if (result->graph.has_prizes() || (is_points && problem.size() > all_pairs_limit)) return nullptr;
    const std::size_t limit =
        is_points ? std::max<std::size_t>(edges_per_vertex * index(problem.size()), 200'000) : weights.edge_count();
    const auto edges = sifted_edges(weights, terminals_of(problem), limit, stop);
    if (!edges) return nullptr;
    add_all(*result, *edges);
    return result;
}

std::unique_ptr<SearchGraph> search_graph(const Problem& problem, const StopToken& stop) {
    if (auto exact = exact_graph(problem, stop)) return exact;
    auto result = empty_graph(problem);
    const bool is_points = problem.weights().form() == Weights::Form::points;
    if ((!is_points && !result->graph.has_prizes()) || stop.expired()) return nullptr;
    try {
        add_all(*result, short_list(problem, terminals_of(problem), stop));
    } catch (const Interrupted&) {
        return nullptr;
    }
    result->keeps_optimum = false;
    return result;
}

}  // namespace neuroprim::steiner
