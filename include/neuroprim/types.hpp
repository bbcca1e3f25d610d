#pragma once

#include <cstddef>
#include <cstdint>

namespace neuroprim {

/// Vertices are numbered from zero everywhere inside; readers translate files that count from one.
using Vertex = std::int32_t;

inline constexpr Vertex no_vertex = -1;

/// The vertex as a place in a vector.
[[nodiscard]] constexpr std::size_t index(Vertex v) {
    return static_cast<std::size_t>(v);
}

struct Point {
    double x = 0;
    double y = 0;

    friend bool operator==(const Point&, const Point&) = default;
};

/// In a tree an edge is directed as it was built: `v` joined through `u`.
struct Edge {
    Vertex u = no_vertex;
    Vertex v = no_vertex;

    friend bool operator==(const Edge&, const Edge&) = default;
};

struct WeightedEdge {
    Vertex u = no_vertex;
    Vertex v = no_vertex;
    double weight = 0;

    friend bool operator==(const WeightedEdge&, const WeightedEdge&) = default;
};

}  // namespace neuroprim
