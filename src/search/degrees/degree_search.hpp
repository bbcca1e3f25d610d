#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim::limited_degrees {

/// Plain minimum spanning trees and trees with limited degrees, on any graph.
[[nodiscard]] bool has_degree_limits(const Problem& problem);

/// Chains of edge exchanges with local perturbations (exchange_chains.hpp). When the minimum spanning tree keeps the
/// limits, every worker goes straight to it. Near O(n log n) on points to prepare, O(n²) on matrices, O(m log m) on
/// sparse graphs.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_degree_search(const Problem& problem, int threads,
                                                                 const StopToken& stop);

}  // namespace neuroprim::limited_degrees
