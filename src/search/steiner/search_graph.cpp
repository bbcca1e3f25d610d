#include "search/steiner/search_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/mst.hpp"
#include "search/steiner/special_distance.hpp"

namespace neuroprim::steiner {

namespace {

/// Point pairs are all looked at up to this many points; beyond, nearest neighbours must do.
constexpr Vertex all_pairs_limit = 12'000;
/// Point graphs keep up to this many edges per vertex before they fall back on nearest neighbours.
constexpr std::size_t edges_per_vertex = 64;
constexpr std::size_t neighbours_kept = 12;

/// A few terminals near each vertex, nearest first, by single edges.
class NearTerminals {
public:
    static constexpr std::size_t kept = 4;
    struct Near {
        Vertex terminal = no_vertex;  // as a number among the terminals
        double distance = Weights::infinity;
    };

    explicit NearTerminals(Vertex n) : near_(index(n)) {}

    void offer(Vertex v, Vertex terminal, double distance) {
        auto& list = near_[index(v)];
        if (distance >= list.back().distance) return;
        std::size_t k = kept - 1;
        for (; k > 0 && list[k - 1].distance > distance; --k) list[k] = list[k - 1];
        list[k] = {terminal, distance};
    }
    [[nodiscard]] const std::array<Near, kept>& of(Vertex v) const { return near_[index(v)]; }

private:
    std::vector<std::array<Near, kept>> near_;  // (n)
};

class EdgeSieve {
public:
    EdgeSieve(const Problem& problem, const std::vector<Vertex>& terminals)
        : weights_(problem.weights()), near_(problem.size()), bottlenecks_(static_cast<Vertex>(terminals.size())) {
        join_terminals(terminals);
    }

    NearTerminals& near() { return near_; }

    /// Is there a special path shorter than the edge uv? Strictly: then no optimum has the edge.
    [[nodiscard]] bool sifts_out(Vertex u, Vertex v, double weight) const {
        for (const auto& a : near_.of(u)) {
            if (a.distance >= weight) break;
            for (const auto& b : near_.of(v)) {
                if (b.distance >= weight) break;
                if (longest_ < weight || bottlenecks_.between(a.terminal, b.terminal) < weight) return true;
            }
        }
        return false;
    }

private:
    /// The minimum spanning tree of the terminals in order of weight; a forest where the graph is not complete.
    void join_terminals(const std::vector<Vertex>& terminals) {
        struct Joint {
            double weight;
            Vertex a, b;
        };
        const auto count = terminals.size();
        std::vector<double> distance(count, Weights::infinity);
        std::vector<Vertex> from(count, no_vertex);
        std::vector<bool> inside(count, false);
        std::vector<Joint> joints;
        std::size_t next = 0;
        for (std::size_t step = 0; step < count; ++step) {
            inside[next] = true;
            std::size_t nearest = count;
            for (std::size_t k = 0; k < count; ++k) {
                if (inside[k]) continue;
                if (const double w = weights_(terminals[next], terminals[k]); w < distance[k]) {
                    distance[k] = w;
                    from[k] = static_cast<Vertex>(next);
                }
                if (nearest == count || distance[k] < distance[nearest]) nearest = k;
            }
            if (nearest == count) break;
            if (from[nearest] != no_vertex) {
                joints.push_back({distance[nearest], from[nearest], static_cast<Vertex>(nearest)});
            }
            longest_ = std::max(longest_, distance[nearest]);
            next = nearest;
        }
        std::sort(joints.begin(), joints.end(), [](const Joint& a, const Joint& b) { return a.weight < b.weight; });
        for (const Joint& joint : joints) bottlenecks_.join(joint.a, joint.b, joint.weight);
    }

    const Weights& weights_;
    NearTerminals near_;
    BottleneckForest bottlenecks_;
    double longest_ = 0;
};

bool is_whole(double weight) {
    return weight == std::floor(weight) && weight < 1e15;
}

std::unique_ptr<SearchGraph> empty_graph(const Problem& problem) {
    auto result =
        std::make_unique<SearchGraph>(SearchGraph{Graph(problem.size(), std::make_shared<Origins>()), true, true});
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (problem.required(v)) result->graph.make_terminal(v);
    }
    return result;
}

void add_all(SearchGraph& result, const std::vector<WeightedEdge>& edges) {
    auto origins = std::make_shared<Origins>();
    Graph graph(result.graph.size(), origins);
    for (Vertex v = 0; v < graph.size(); ++v) {
        if (result.graph.is_terminal(v)) graph.make_terminal(v);
    }
    for (const WeightedEdge& edge : edges) {
        graph.add_new(edge.u, edge.v, edge.weight, origins->input(edge.u, edge.v));
        result.whole_weights = result.whole_weights && is_whole(edge.weight);
    }
    result.graph = std::move(graph);
}

/// Nearest neighbours and the minimum spanning trees of all points and of the terminals.
std::vector<WeightedEdge> short_list(const Problem& problem, const std::vector<Vertex>& terminals) {
    const Weights& weights = problem.weights();
    std::vector<Edge> pairs;
    const Neighbours near = nearest_neighbours(weights, neighbours_kept);
    for (Vertex u = 0; u < problem.size(); ++u) {
        for (const Vertex v : near.of(u)) pairs.push_back({std::min(u, v), std::max(u, v)});
    }
    for (const Edge& edge : minimum_spanning_tree(weights).edges) {
        pairs.push_back({std::min(edge.u, edge.v), std::max(edge.u, edge.v)});
    }
    for (const Edge& edge : minimum_spanning_tree(induced(weights, terminals)).edges) {
        const Vertex u = terminals[index(edge.u)];
        const Vertex v = terminals[index(edge.v)];
        pairs.push_back({std::min(u, v), std::max(u, v)});
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const Edge& a, const Edge& b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<WeightedEdge> edges;
    for (const Edge& pair : pairs) edges.push_back({pair.u, pair.v, weights(pair.u, pair.v)});
    return edges;
}

/// The edges that the sieve leaves, or nothing when they are too many or the time is up.
std::optional<std::vector<WeightedEdge>> sifted(const Problem& problem, const std::vector<Vertex>& terminals,
                                                std::size_t limit, const Watch& watch) {
    const Weights& weights = problem.weights();
    const Vertex n = problem.size();
    EdgeSieve sieve(problem, terminals);
    for (Vertex v = 0; v < n; ++v) {
        if ((v & 63) == 0 && watch.expired()) return std::nullopt;
        for (std::size_t t = 0; t < terminals.size(); ++t) {
            sieve.near().offer(v, static_cast<Vertex>(t), v == terminals[t] ? 0 : weights(v, terminals[t]));
        }
    }
    std::vector<WeightedEdge> edges;
    for (Vertex u = 0; u < n; ++u) {
        if ((u & 63) == 0 && watch.expired()) return std::nullopt;
        for (Vertex v = u + 1; v < n; ++v) {
            const double weight = weights(u, v);
            if (weight == Weights::infinity || sieve.sifts_out(u, v, weight)) continue;
            if (edges.size() == limit) return std::nullopt;
            edges.push_back({u, v, weight});
        }
    }
    return edges;
}

}  // namespace

std::unique_ptr<SearchGraph> search_graph(const Problem& problem, const Watch& watch) {
    auto result = empty_graph(problem);
    const Weights& weights = problem.weights();
    if (weights.form() == Weights::Form::sparse) {
        add_all(*result, weights.edges());
        return result;
    }
    std::vector<Vertex> terminals;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (problem.required(v)) terminals.push_back(v);
    }
    const bool is_points = weights.form() == Weights::Form::points;
    const std::size_t limit =
        is_points ? std::max<std::size_t>(edges_per_vertex * index(problem.size()), 200'000) : weights.edge_count();
    if (!is_points || problem.size() <= all_pairs_limit) {
        if (const auto edges = sifted(problem, terminals, limit, watch)) {
            add_all(*result, *edges);
            return result;
        }
    }
    if (!is_points || watch.expired()) return nullptr;
    add_all(*result, short_list(problem, terminals));
    result->keeps_optimum = false;
    return result;
}

}  // namespace neuroprim::steiner
