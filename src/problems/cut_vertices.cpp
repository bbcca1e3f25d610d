#include "problems/cut_vertices.hpp"

#include <algorithm>

namespace neuroprim {

std::vector<int> parts_without(const Weights& weights, const std::vector<bool>& required) {
    const auto n = required.size();
    std::vector<int> parts(n, 0);
    const auto first = std::find(required.begin(), required.end(), true);
    if (first == required.end()) return parts;

    std::vector<std::vector<Vertex>> beside(n);
    for (const auto& [u, v, weight] : weights.edges()) {
        beside[index(u)].push_back(v);
        beside[index(v)].push_back(u);
    }
    std::vector<Vertex> order;
    std::vector<Vertex> parent(n, no_vertex);
    std::vector<int> visited(n, -1);  // when
    std::vector<int> earliest(n, 0);  // visit that an edge from the subtree leads back to
    std::vector<std::size_t> next(n, 0);
    std::vector<Vertex> path = {static_cast<Vertex>(first - required.begin())};
    visited[index(path.front())] = 0;
    order.push_back(path.front());
    while (!path.empty()) {
        const Vertex u = path.back();
        if (next[index(u)] == beside[index(u)].size()) {
            path.pop_back();
            continue;
        }
        const Vertex v = beside[index(u)][next[index(u)]++];
        if (visited[index(v)] >= 0) {
            earliest[index(u)] = std::min(earliest[index(u)], visited[index(v)]);
            continue;
        }
        parent[index(v)] = u;
        visited[index(v)] = earliest[index(v)] = static_cast<int>(order.size());
        order.push_back(v);
        path.push_back(v);
    }

    // From the last visited one on, children come before their parents.
    std::vector<int> inside(n, 0);     // required vertices of the subtree
    std::vector<int> separated(n, 0);  // those of subtrees that nothing but the vertex joins to the rest
    const auto all = static_cast<int>(std::count(required.begin(), required.end(), true));
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const std::size_t v = index(*at);
        inside[v] += required[v] ? 1 : 0;
        if (all > separated[v] + (required[v] ? 1 : 0)) ++parts[v];
        if (parent[v] == no_vertex) continue;
        const std::size_t u = index(parent[v]);
        inside[u] += inside[v];
        earliest[u] = std::min(earliest[u], earliest[v]);
        if (earliest[v] < visited[u] || inside[v] == 0) continue;
        separated[u] += inside[v];
        ++parts[u];
    }
    return parts;
}

}  // namespace neuroprim
