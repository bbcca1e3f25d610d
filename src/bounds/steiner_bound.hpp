#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// For Steiner trees, with prizes or without. Exact where the graph is sparse, or becomes so by special distances:
/// reductions, dual ascent from several roots, reduced costs that remove vertices and edges, and branching on
/// vertices; the bound rises till it meets the best tree. Point sets that are too dense for that get half the minimum
/// spanning tree of their terminals, which is a bound wherever the triangle inequality holds.
[[nodiscard]] std::unique_ptr<BoundProcess> make_steiner_bound(const Problem& problem);

/// Does `make_steiner_bound` take the problem?
[[nodiscard]] bool steiner_bound_suits(const Problem& problem);

}  // namespace neuroprim
