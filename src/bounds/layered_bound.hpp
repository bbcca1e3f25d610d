#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// Lower bounds for trees with few hops from the root, short ways from it, or a small diameter: dual ascent on the
/// layered graph of the limit, reduced costs that remove arcs and copies, and branching on the layers of vertices.
///
/// - **Hops**: layers are hops. Branching is exact: a tree is known when every vertex has one layer.
/// - **Length**: layers are lengths, cut into steps and rounded down, so the bound is a relaxation. It is exact where
///   the tree at the end keeps the limit.
/// - **Diameter** D: a tree has a centre, a vertex for even D and an edge for odd D, from which no vertex is more
/// than
///   ⌊D/2⌋ hops away. All centres are tried: first vertices, and for odd D the edges of those that may be better than
///   the best tree known.
///
/// Vertices that may be left out for a prize, and groups that need one vertex each, are terminals of the layered
/// graph. What else the specification limits is relaxed. Null when it has no such limit, or when its graph would not
/// fit into some hundred megabytes.
[[nodiscard]] std::unique_ptr<BoundProcess> make_hop_bound(const Problem& problem);
[[nodiscard]] std::unique_ptr<BoundProcess> make_length_bound(const Problem& problem);
[[nodiscard]] std::unique_ptr<BoundProcess> make_diameter_bound(const Problem& problem);

}  // namespace neuroprim
