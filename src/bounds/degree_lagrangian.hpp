#pragma once

#include <memory>

#include "bounds/bound_process.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// Shortest trees over all vertices under degree limits; other limits beside them only make trees dearer.
[[nodiscard]] bool degree_lagrangian_suits(const Problem& problem);

/// Lower bounds for trees with limited degrees by Lagrangian relaxation: a penalty on every vertex, priced into the
/// edges, replaces its limit d(v), and for any penalties p ≥ 0
///
///     MST under w(u,v) + p(u) + p(v)  −  Σ p(v) d(v)
///
/// is at most the weight of a feasible tree. Subgradient steps look for the penalties that make it largest. Where all
/// limits are 2 the trees are Hamiltonian paths, closed to tours by one more vertex at distance 0 from all: Held and
/// Karp's bound, in which penalties may be negative and the two smallest of them are added. Whole weights let the
/// bound be rounded up.
///
/// Of more than `most_with_all_edges` points in the plane, trees are built over near edges only (candidate_mst.hpp).
/// Now and then the best penalties are proven over all edges (complete_mst.hpp); edges that the near ones lacked join
/// them. Other complete graphs look at all edges for every tree.
///
/// Null when the graph is too large for many minimum spanning trees: 10 000 vertices that are not points in the
/// plane, or 100 000 edges of a sparse one.
[[nodiscard]] std::unique_ptr<BoundProcess> make_degree_lagrangian(const Problem& problem,
                                                                   Vertex most_with_all_edges = 2000);

}  // namespace neuroprim
