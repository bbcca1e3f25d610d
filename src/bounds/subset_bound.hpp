#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// The optimum of any specification on few vertices, by dynamic programming over sets of vertices
/// (subset_program.hpp). Says nothing before it is done, and knows nothing of crossings.
///
/// Null for more than some twenty vertices, and where the objective does not split into edges and sets.
[[nodiscard]] std::unique_ptr<BoundProcess> make_subset_bound(const Problem& problem);

}  // namespace neuroprim
