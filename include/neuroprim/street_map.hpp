#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// What a map knows about a graph beyond its weights: how its edges run, where its addresses are, and what else is
/// there to be drawn. Positions are longitude and latitude in degrees, unless they are of the plane.
struct StreetMap {
    /// How one edge of the graph runs.
    struct Line {
        Vertex u = no_vertex;   ///< the smaller end
        Vertex v = no_vertex;   ///< the larger end
        std::size_t begin = 0;  ///< its points between u and v, in this order, are points[begin] … points[end − 1]
        std::size_t end = 0;
        std::int64_t feature = 0;  ///< of the input
    };

    /// A point of the input and the vertex that stands for it.
    struct Address {
        std::int64_t feature = 0;
        Point at;  ///< where the input has it
        Vertex vertex = no_vertex;
        double metres = 0;  ///< from there to the vertex
    };

    std::vector<Line> lines;                   // by u, then v
    std::vector<Point> points;                 // of all lines
    std::vector<Address> addresses;            // by vertex, then in the order of the input
    std::vector<std::vector<Point>> backdrop;  // streets that are no edges: removed, parallel or loops
    std::vector<std::vector<Point>> areas;     // rings of forbidden areas
    bool has_streets = true;                   ///< false: edges join all points, straight or around the areas
    bool is_on_earth = true;                   ///< false: positions are of the plane

    /// Appends the points between u and v in this order, without the ends. Nothing for an edge that is straight or
    /// not in the graph. O(log m).
    void append_between(std::vector<Point>& path, Vertex u, Vertex v) const;

    /// The line of this edge, or nullptr. O(log m).
    [[nodiscard]] const Line* line(Vertex u, Vertex v) const;

    /// The addresses at this vertex. O(log n).
    [[nodiscard]] std::span<const Address> addresses_at(Vertex v) const;
};

/// Metres along great circles from point to point.
[[nodiscard]] double path_length(std::span<const Point> path);

}  // namespace neuroprim
