#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Is the load of a branch the only limit, so low that a branch has few vertices?
[[nodiscard]] bool suits_branches(const Problem& problem);

/// Vertices and subtrees move between branches, which are spanned as short as they can be.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_branches(const Problem& problem, int threads,
                                                            const StopToken& stop);

}  // namespace neuroprim
