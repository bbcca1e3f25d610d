#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// For `mrcst`: leaves, subtrees and hubs move, each change of the routing cost known without pricing the tree again.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_routing(const Problem& problem, int threads,
                                                           const StopToken& stop);

}  // namespace neuroprim
