#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// The minimum spanning tree, as the bound that holds for every limit. Null where it is none.
[[nodiscard]] std::unique_ptr<BoundProcess> make_spanning_bound(const Problem& problem);

}  // namespace neuroprim
