#pragma once

#include <functional>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// An exact minimum spanning tree, by the quickest way for the graph's form: Borůvka over a k-d tree for points
/// (about n log n), Prim for matrices (n²), Kruskal for sparse graphs (m log m).
/// Ties go to the smaller vertex numbers, so the answer does not depend on `threads`.
/// Throws Infeasible when the graph is not connected, and Interrupted when `interrupted`, asked now and then by any
/// thread, says so before the tree is there.
[[nodiscard]] Tree minimum_spanning_tree(const Weights& weights, int threads = 1,
                                         const std::function<bool()>& interrupted = {});

/// The subgraph induced by `vertices` (increasing); vertex i of the result is vertices[i].
[[nodiscard]] Weights induced(const Weights& weights, const std::vector<Vertex>& vertices);

}  // namespace neuroprim
