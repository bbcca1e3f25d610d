#pragma once

#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/problem.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::testing {

/// The least weight of a Steiner tree: the minimum spanning tree of the terminals and each set of other vertices.
/// O(2^(n − terminals) · m). Infinity when there is none.
[[nodiscard]] double steiner_optimum(Vertex n, const std::vector<WeightedEdge>& edges,
                                     const std::vector<bool>& is_terminal, const std::vector<double>& prizes = {});

/// That of the problem, lost prizes included; a tree has at least one vertex.
[[nodiscard]] double steiner_optimum(const Problem& problem);
[[nodiscard]] double steiner_optimum(const steiner::FlatGraph& graph);

/// Small random instances with terminals that take turns: sparse graphs with small whole weights (many ties) and
/// with real ones, full matrices, points, points on a coarse grid.
[[nodiscard]] Instance small_steiner_instance(std::uint64_t number);

/// The same with prizes instead of terminals: some of nothing, some of about what edges weigh.
[[nodiscard]] Instance small_prize_instance(std::uint64_t number);

}  // namespace neuroprim::testing
