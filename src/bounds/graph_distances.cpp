#include "bounds/graph_distances.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace neuroprim {

namespace {

/// Dijkstra's algorithm with a heap, for few edges.
void along_edges(const Weights& weights, Vertex source, std::vector<double>& distance) {
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    open.emplace(0.0, source);
    while (!open.empty()) {
        const auto [d, u] = open.top();
        open.pop();
        if (d > distance[index(u)]) continue;
        weights.for_each_neighbour(u, [&, d = d](Vertex v, double w) {
            if (d + w >= distance[index(v)]) return;
            distance[index(v)] = d + w;
            open.emplace(d + w, v);
        });
    }
}

/// The same without one, for graphs that have nearly all edges.
void among_all(const Weights& weights, Vertex source, std::vector<double>& distance) {
    std::vector<bool> done(distance.size(), false);
    for (Vertex u = source; u != no_vertex;) {
        done[index(u)] = true;
        Vertex nearest = no_vertex;
        for (Vertex v = 0; v < weights.size(); ++v) {
            if (done[index(v)]) continue;
            const double through = distance[index(u)] + weights(u, v);
            if (through < distance[index(v)]) distance[index(v)] = through;
            if (distance[index(v)] == Weights::infinity) continue;
            if (nearest == no_vertex || distance[index(v)] < distance[index(nearest)]) nearest = v;
        }
        u = nearest;
    }
}

}  // namespace

bool edges_are_shortest(const Weights& weights) {
    if (weights.form() != Weights::Form::points) return false;
    switch (weights.metric()) {
        case Metric::euclidean:
        case Metric::manhattan:
        case Metric::maximum:
        case Metric::ceil_2d:
        case Metric::great_circle:
            return true;
        default:
            return false;  // rounding to the nearest integer can make a detour shorter
    }
}

void distances_from(const Weights& weights, Vertex source, std::vector<double>& distance) {
    distance.assign(index(weights.size()), Weights::infinity);
    distance[index(source)] = 0;
    if (edges_are_shortest(weights)) {
        for (Vertex v = 0; v < weights.size(); ++v) {
            if (v != source) distance[index(v)] = weights(source, v);
        }
    } else if (weights.form() == Weights::Form::sparse) {
        along_edges(weights, source, distance);
    } else {
        among_all(weights, source, distance);
    }
}

}  // namespace neuroprim
