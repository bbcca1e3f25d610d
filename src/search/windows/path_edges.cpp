#include "search/windows/path_edges.hpp"

#include <algorithm>

namespace neuroprim {

PathEdges::PathEdges(std::span<const Vertex> order) : beside_(order.size(), Pair{no_vertex, no_vertex}) {
    for (std::size_t k = 1; k < order.size(); ++k) {
        beside_[index(order[k - 1])][1] = order[k];
        beside_[index(order[k])][0] = order[k - 1];
    }
}

/// One of the two is `before`.
void PathEdges::exchange(Pair& pair, Vertex before, Vertex after) {
    *std::find(pair.begin(), pair.end() - 1, before) = after;
}

void PathEdges::replace(std::span<const Edge> removed, std::span<const Edge> added) {
    for (const auto& [u, v] : removed) {
        exchange(beside_[index(u)], v, no_vertex);
        exchange(beside_[index(v)], u, no_vertex);
    }
    for (const auto& [u, v] : added) {
        exchange(beside_[index(u)], no_vertex, v);
        exchange(beside_[index(v)], no_vertex, u);
    }
}

std::vector<Vertex> PathEdges::order() const {
    const auto is_end = [](const Pair& pair) { return pair[0] == no_vertex || pair[1] == no_vertex; };
    const auto end = std::find_if(beside_.begin(), beside_.end(), is_end);
    std::vector<Vertex> result;
    result.reserve(beside_.size());
    Vertex before = no_vertex;
    for (auto v = static_cast<Vertex>(end - beside_.begin()); v != no_vertex;) {
        result.push_back(v);
        const Pair& pair = beside_[index(v)];
        const Vertex next = pair[0] == before ? pair[1] : pair[0];
        before = v;
        v = next;
    }
    return result;
}

}  // namespace neuroprim
