#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Iterated local search for trees that hold exactly one vertex of each group, where every vertex is in a group or
/// must be in the tree. The vertices that speak for the groups decide all: the tree is their minimum spanning tree. A
/// descent lets another vertex speak for one group at a time; a perturbation changes some groups that are near one
/// another.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_group_search(const Problem& problem, int threads,
                                                                const StopToken& stop);

[[nodiscard]] bool group_search_suits(const Problem& problem);

}  // namespace neuroprim
