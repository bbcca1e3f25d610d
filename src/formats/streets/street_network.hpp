#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "formats/streets/box_tree.hpp"
#include "formats/streets/findings.hpp"
#include "formats/streets/map_features.hpp"

namespace neuroprim::formats {

/// The streets of a map while they become a graph: lines of points, and which of these points are vertices.
///
/// A point becomes a vertex when a line ends there or when lines share it. Ends within the tolerance of each other
/// are one vertex, and an end that no line shares meets a line that runs by within the tolerance. Lines that cross
/// without a common point stay apart. O(p log p) for p points.
class StreetNetwork {
public:
    StreetNetwork(const MapFeatures& map, double tolerance, Findings& findings);

    /// A place on a line.
    struct Spot {
        std::size_t segment = 0;  ///< from points()[segment] to the next
        double along = 0;         ///< from 0 to 1
        Point at;
        double metres = 0;  ///< from what was asked for
    };

    /// The nearest place on any line that `allows` it, if one is within `most` metres. O(log p).
    [[nodiscard]] std::optional<Spot> nearest(Point from, double most,
                                              const std::function<bool(std::size_t, Point)>& allows = {}) const;

    /// Makes the spot a vertex, or takes the one that is within the tolerance on this line. Returns its node.
    std::uint32_t add_node(const Spot& spot);

    /// To be called when all nodes are there: nodes of one line within the tolerance of each other become one.
    void finish();

    /// A part of a line between two vertices.
    struct Piece {
        std::uint32_t u = 0;  ///< nodes
        std::uint32_t v = 0;
        std::size_t line = 0;
        std::size_t segment = 0;  ///< its first
        std::size_t begin = 0;    ///< its inner points are shape()[begin] … shape()[end − 1]
        std::size_t end = 0;
        double length = 0;  ///< metres
    };

    /// All lines cut at their vertices, in the order of the map.
    [[nodiscard]] std::vector<Piece> pieces();
    [[nodiscard]] const std::vector<Point>& shape() const { return shape_; }

    /// The one node that stands for all that are joined with it, and where it is.
    [[nodiscard]] std::uint32_t joined(std::uint32_t node) const;
    [[nodiscard]] Point at(std::uint32_t node) const { return at_[joined(node)]; }
    [[nodiscard]] std::size_t node_count() const { return at_.size(); }
    [[nodiscard]] std::size_t point_count() const { return points_.size(); }

    [[nodiscard]] std::size_t line_of_segment(std::size_t segment) const { return line_of_[segment]; }
    [[nodiscard]] std::size_t feature_of_line(std::size_t line) const { return lines_[line].feature; }

private:
    struct Split {
        std::size_t segment;
        double along;
        std::uint32_t node;
    };

    void take_lines(const MapFeatures& map, Findings& findings);
    void number_positions();
    void join(std::uint32_t a, std::uint32_t b);
    void join_near_ends();
    void build_segments();
    void join_ends_to_lines();
    void tell_touching(Findings& findings) const;
    [[nodiscard]] bool is_end(std::size_t point) const;
    [[nodiscard]] double metres_along(std::size_t from, std::size_t to) const;

    double tolerance_;
    std::vector<Point> points_;                // of all lines, without repetitions
    std::vector<MapFeatures::Line> lines_;     // those with a length
    std::vector<std::uint32_t> line_of_;       // (points)
    std::vector<std::uint32_t> node_of_;       // (points) one number for each position
    std::vector<Point> at_;                    // (nodes)
    mutable std::vector<std::uint32_t> same_;  // (nodes) disjoint sets; the smallest stands for its set
    std::vector<bool> is_vertex_;              // (nodes)
    std::vector<std::size_t> segments_;        // first points
    std::optional<BoxTree> segment_tree_;
    std::vector<Split> splits_;
    std::vector<Point> shape_;
};

}  // namespace neuroprim::formats
