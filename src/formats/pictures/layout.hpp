#pragma once

#include <span>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/tree.hpp"

/// Where vertices stand in pictures. All positions here have the y axis pointing up.
namespace neuroprim::formats {

struct Bounds {
    Point low;
    Point high;

    [[nodiscard]] double width() const { return high.x - low.x; }
    [[nodiscard]] double height() const { return high.y - low.y; }
};

/// The smallest box around the points; a single point at the origin when there are none.
[[nodiscard]] Bounds bounds_of(std::span<const Point> points);

/// The instance's positions as a map has them: longitude and latitude in degrees for places on Earth (TSPLIB's
/// `geo` counts latitude first, in DDD.MM), the numbers of the file otherwise. Empty when there are none.
[[nodiscard]] std::vector<Point> map_positions(const Instance& instance);

/// What degrees of longitude are multiplied by in pictures: the cosine of the middle latitude on Earth, 1 elsewhere.
[[nodiscard]] double planar_shrink(const Instance& instance);

/// The same flattened for drawing: on Earth, degrees of longitude shrink by the cosine of the middle latitude.
[[nodiscard]] std::vector<Point> planar_positions(const Instance& instance);

/// Where a tree without positions is drawn; vertices outside the tree stay at the origin.
struct TreeLayout {
    std::vector<Point> at;      // (n)
    std::vector<double> angle;  // (n) around the origin, or empty when the edges are straight
};

/// A tidy layout, O(n): depth is the distance from the middle, and each subtree gets a sector in proportion to its
/// leaves. A path winds up as a spiral.
[[nodiscard]] TreeLayout radial_layout(const Tree& tree, Vertex n);

/// Appends the points between u and v through which their edge is drawn. Between two rings its angle changes with
/// the radius alone, and in the same way for all edges, so edges do not cross.
void append_bends(std::vector<Point>& points, const TreeLayout& layout, Vertex u, Vertex v);

/// The spanning forest of a breadth-first search, its parts hung together, to lay out a graph without positions.
[[nodiscard]] Tree search_tree(const Weights& weights);

}  // namespace neuroprim::formats
