#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim::paths {

/// Is every limit 2 and the graph complete? Then feasible trees are the Hamiltonian paths, whatever their ends.
[[nodiscard]] bool is_path_problem(const Problem& problem);

/// Lin–Kernighan chains with local perturbations (lin_kernighan.hpp). Near O(n log n) on points to prepare, O(n²) on
/// matrices.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_path_search(const Problem& problem, int threads,
                                                               const StopToken& stop);

}  // namespace neuroprim::paths
