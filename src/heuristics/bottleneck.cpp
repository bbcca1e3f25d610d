#include "heuristics/bottleneck.hpp"

#include <algorithm>
#include <vector>

#include "heuristics/support.hpp"

namespace neuroprim {

namespace {

/// Into how many parts the graph falls without each vertex: Hopcroft and Tarjan's search for cut vertices.
/// A child of v in the depth-first tree that reaches nothing above v is cut off with v.
std::vector<int> parts_without(std::span<const WeightedEdge> edges, Vertex n) {
    std::vector<std::vector<Vertex>> neighbours(index(n));
    for (const auto& [u, v, weight] : edges) {
        neighbours[index(u)].push_back(v);
        neighbours[index(v)].push_back(u);
    }
    struct Visit {
        Vertex vertex;
        std::size_t next = 0;  // neighbour to look at
    };
    std::vector<int> parts(index(n), 1);  // the part above; the root has none
    std::vector<int> entered(index(n), 0);
    std::vector<int> highest(index(n), 0);  // the earliest vertex that the subtree has an edge to
    std::vector<Visit> path = {{0}};
    int clock = 0;
    parts[0] = 0;
    while (!path.empty()) {
        const Vertex v = path.back().vertex;
        if (path.back().next == 0) entered[index(v)] = highest[index(v)] = ++clock;
        if (path.back().next < neighbours[index(v)].size()) {
            const Vertex w = neighbours[index(v)][path.back().next++];
            if (entered[index(w)] == 0) {
                path.push_back({w});
            } else {
                highest[index(v)] = std::min(highest[index(v)], entered[index(w)]);
            }
            continue;
        }
        path.pop_back();
        if (path.empty()) break;
        const Vertex parent = path.back().vertex;
        highest[index(parent)] = std::min(highest[index(parent)], highest[index(v)]);
        if (highest[index(v)] >= entered[index(parent)]) ++parts[index(parent)];
    }
    return parts;
}

}  // namespace

std::optional<Bottleneck> find_bottleneck(std::span<const WeightedEdge> edges, std::span<const int> limits) {
    const auto n = static_cast<Vertex>(limits.size());
    if (n == 0) return std::nullopt;
    const std::vector<int> parts = parts_without(edges, n);
    for (Vertex v = 0; v < n; ++v) {
        if (parts[index(v)] > limits[index(v)]) return Bottleneck{v, parts[index(v)]};
    }
    return std::nullopt;
}

}  // namespace neuroprim
