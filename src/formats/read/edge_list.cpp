#include "formats/read/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace neuroprim::formats {

Weights graph_of(const Text& text, Vertex n, std::vector<WeightedEdge> edges, Vertex first,
                 const std::vector<std::string>& names) {
    for (WeightedEdge& edge : edges) {
        if (edge.u > edge.v) std::swap(edge.u, edge.v);
    }
    std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        return std::tie(a.u, a.v, a.weight) < std::tie(b.u, b.v, b.weight);
    });
    const auto differ = [](const WeightedEdge& a, const WeightedEdge& b) {
        return a.u == b.u && a.v == b.v && a.weight != b.weight;
    };
    const auto found = std::adjacent_find(edges.begin(), edges.end(), differ);
    if (found != edges.end()) {
        const auto label = [&](Vertex v) {
            return names.empty() ? std::to_string(v + first) : in_quotes(names[static_cast<std::size_t>(v)]);
        };
        text.warn(
            fmt::format("some edges are given twice with different weights, such as {} - {} with {} and {}: the "
                        "lightest counts",
                        label(found->u), label(found->v), found->weight, (found + 1)->weight));
    }
    return Weights::from_edges(n, std::move(edges));
}

}  // namespace neuroprim::formats
