#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Shortest trees of few hops, or of small diameter, on complete graphs: points, or matrices of not too many
/// vertices.
[[nodiscard]] bool suits_levels(const Problem& problem);

/// Simulated annealing over levels: given the level of each vertex, every vertex hangs from the nearest one of a
/// lower level, so levels alone tell the tree.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_levels(const Problem& problem, int threads, const StopToken& stop);

}  // namespace neuroprim
