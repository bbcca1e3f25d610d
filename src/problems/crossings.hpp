#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/tree.hpp"
#include "problems/plane_ways.hpp"

namespace neuroprim {

/// Where the edges of an instance with positions run. Longitudes and latitudes are taken as plane coordinates: which
/// edges cross does not change when an axis is stretched, as a local projection does.
class EdgePlan {
public:
    /// The instance must outlive it.
    explicit EdgePlan(const Instance& instance);

    /// From end to end, whatever lies between.
    [[nodiscard]] PlaneSegment segment(Vertex u, Vertex v) const;

    /// How the edge runs: its ends, and between them the bends of a street or around obstacles.
    void find_way(std::vector<Point>& way, Vertex u, Vertex v) const;

    [[nodiscard]] bool cross(const Edge& one, const Edge& other) const;

private:
    [[nodiscard]] Point end(Vertex v, Vertex other) const;

    const Instance* instance_;
    std::vector<Point> at_;  // (n)
};

/// All pairs of tree edges that cross. O(m log m) and the pairs whose ranges of x overlap. Empty without positions.
[[nodiscard]] std::vector<std::pair<Edge, Edge>> crossings(const Instance& instance, const Tree& tree);

/// Two edges of the tree that cross, if there are any. Edges at the vertex with most of them may be long, others
/// should be short: then it is nearly O(m).
[[nodiscard]] std::optional<std::pair<Edge, Edge>> some_crossing(const Instance& instance, const Tree& tree);

/// How many there are, unless to tell takes longer than comparing so many pairs.
[[nodiscard]] std::optional<std::size_t> number_of_crossings(const Instance& instance, const Tree& tree,
                                                             std::size_t most_pairs);

/// The edges of a changing tree by where they run, so that a new edge meets only those nearby.
class CrossingIndex {
public:
    explicit CrossingIndex(const Instance& instance);

    /// The edge above `v` runs to `u` now; a vertex has one at most.
    void insert(Vertex u, Vertex v);
    void erase(Vertex v);
    void clear();

    /// Would an edge between `u` and `v` cross one that is here?
    [[nodiscard]] bool crosses(Vertex u, Vertex v) const { return crossed_by(u, v) != no_vertex; }

    /// The lower end of an edge that it would cross, or `no_vertex`.
    [[nodiscard]] Vertex crossed_by(Vertex u, Vertex v) const;

private:
    template <class Visit>
    void for_each_cell(std::span<const Point> way, Visit&& visit) const;
    template <class Visit>
    bool for_each_cell(const PlaneSegment& segment, Visit&& visit) const;

    EdgePlan plan_;
    Point low_;
    double cell_x_ = 1;
    double cell_y_ = 1;
    int columns_ = 1;
    int rows_ = 1;
    std::vector<std::vector<Vertex>> cells_;  // (columns, rows) lower ends of the edges that pass through
    std::vector<std::vector<Point>> above_;   // (n) how the edge above runs; empty: there is none
    mutable std::vector<Point> asked_;
};

}  // namespace neuroprim
