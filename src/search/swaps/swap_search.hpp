#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Edge exchange through the problem's own rules: polishes the trees of any problem, a user's own included.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_swaps(const Problem& problem, int threads, const StopToken& stop);

}  // namespace neuroprim
