#pragma once

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Are edges priced by their weights alone, and all vertices in the tree?
[[nodiscard]] bool suits_quick_descent(const Problem& problem);

/// Makes a feasible tree cheaper by two moves that keep all limits, till they hardly help any more: a vertex, with
/// its subtree, hangs from a nearer one, or exchanges its place with a near one. A few passes over the vertices,
/// three or four microseconds per vertex, three times as many for a million: a search of many vertices would need far
/// longer. It may be stopped at any time.
[[nodiscard]] Tree quick_descent(const Problem& problem, const Tree& tree, int threads, const StopToken& stop);

}  // namespace neuroprim
