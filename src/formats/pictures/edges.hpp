#pragma once

#include <functional>
#include <span>
#include <vector>

#include "neuroprim/picture.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/tree_facts.hpp"

namespace neuroprim::formats {

/// Fills `path` with the points, in pixels, through which the edge uv is drawn.
using EdgePath = std::function<void(std::vector<Point>& path, Vertex u, Vertex v)>;

/// The tree's edges as few shapes. All alike in small trees; from `trunks_from` vertices on, the wider and darker
/// the larger the smaller of the two parts that an edge joins, as a map draws rivers. O(n).
[[nodiscard]] std::vector<Lines> tree_lines(const Tree& tree, std::span<const Vertex> roots, Vertex n,
                                            const EdgePath& find_path, double width);

/// The edges by what they carry: the wider the more demand is behind an edge, each in the colour of its cable. O(n).
[[nodiscard]] std::vector<Lines> loaded_lines(const Tree& tree, const TreeFacts& facts, const EdgePath& find_path,
                                              double width);

inline constexpr std::size_t trunks_from = 2'000;

/// Every edge of a sparse graph, faintly.
[[nodiscard]] Lines graph_lines(const Weights& weights, std::span<const Point> pixels, double width);

}  // namespace neuroprim::formats
