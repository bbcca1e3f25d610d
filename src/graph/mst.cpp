#include "neuroprim/mst.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/disjoint_sets.hpp"
#include "graph/point_mst.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

[[noreturn]] void throw_not_connected(Vertex u, Vertex v) {
    throw Infeasible(fmt::format("the graph is not connected: no path joins vertices {} and {}", u, v));
}

/// Prim with arrays, O(n²) time and O(n) memory.
Tree prim_dense(const Weights& weights, const StopToken& stop) {
    const Vertex n = weights.size();
    std::vector<double> nearest(index(n), Weights::infinity);
    std::vector<Vertex> through(index(n), no_vertex);
    std::vector<bool> inside(index(n), false);
    Tree tree{0, {}};
    tree.edges.reserve(index(n));
    inside[0] = true;
    for (Vertex last = 0; static_cast<Vertex>(tree.edges.size()) + 1 < n;) {
        stop.check();
        Vertex next = no_vertex;
        for (Vertex v = 0; v < n; ++v) {
            if (inside[index(v)]) continue;
            if (const double w = weights(last, v); w < nearest[index(v)]) {
                nearest[index(v)] = w;
                through[index(v)] = last;
            }
            if (next == no_vertex || nearest[index(v)] < nearest[index(next)]) next = v;
        }
        if (through[index(next)] == no_vertex) throw_not_connected(0, next);
        tree.edges.push_back({through[index(next)], next});
        inside[index(next)] = true;
        last = next;
    }
    return tree;
}

Tree kruskal_sparse(const Weights& weights, const StopToken& stop) {
    const Vertex n = weights.size();
    std::vector<WeightedEdge> edges = weights.edges();
    constexpr unsigned edges_between_looks = 100'000;
    PacedStopToken paced(stop, edges_between_looks);
    std::stable_sort(edges.begin(), edges.end(), [&](const WeightedEdge& a, const WeightedEdge& b) {
        paced.check();
        return a.weight < b.weight;
    });
    DisjointSets parts(n);
    Tree tree{0, {}};
    tree.edges.reserve(index(n));
    for (const auto& [u, v, weight] : edges) {
        paced.check();
        if (parts.join(u, v)) tree.edges.push_back({u, v});
    }
    for (Vertex v = 1; v < n; ++v) {
        if (parts.find(v) != parts.find(0)) throw_not_connected(0, v);
    }
    return grown_from(tree, 0, n);
}

}  // namespace

Tree minimum_spanning_tree(const Weights& weights, int threads, const std::function<bool()>& interrupted) {
    constexpr Vertex small = 64;
    const StopToken stop(std::nullopt, interrupted);
    if (weights.size() == 0) return {};
    if (weights.form() == Weights::Form::sparse) return kruskal_sparse(weights, stop);
    if (weights.form() == Weights::Form::matrix || weights.size() <= small) return prim_dense(weights, stop);
    return grown_from({0, point_mst(weights.points(), weights.metric(), threads, stop)}, 0, weights.size());
}

Weights induced(const Weights& weights, const std::vector<Vertex>& vertices) {
    const auto size = static_cast<Vertex>(vertices.size());
    if (weights.form() == Weights::Form::points) {
        std::vector<Point> points;
        points.reserve(vertices.size());
        for (const Vertex v : vertices) points.push_back(weights.points()[index(v)]);
        return Weights::from_points(std::move(points), weights.metric());
    }
    if (weights.form() == Weights::Form::matrix) {
        std::vector<double> lower;
        for (std::size_t u = 0; u < vertices.size(); ++u) {
            for (std::size_t v = 0; v < u; ++v) lower.push_back(weights(vertices[u], vertices[v]));
        }
        return Weights::from_lower_triangle(size, lower);
    }
    std::vector<Vertex> position(index(weights.size()), no_vertex);
    for (std::size_t k = 0; k < vertices.size(); ++k) position[index(vertices[k])] = static_cast<Vertex>(k);
    std::vector<WeightedEdge> edges;
    for (const Vertex u : vertices) {
        weights.for_each_neighbour(u, [&](Vertex v, double w) {
            if (u < v && position[index(v)] != no_vertex)
                edges.push_back({position[index(u)], position[index(v)], w});
        });
    }
    return Weights::from_edges(size, std::move(edges));
}

}  // namespace neuroprim
