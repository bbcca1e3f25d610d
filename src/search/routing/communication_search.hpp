#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Is it `ocst`, with few enough vertices for a table of n² numbers in every worker?
[[nodiscard]] bool suits_communication(const Problem& problem);

/// For `ocst`: each edge is exchanged by the best other one, found without pricing trees.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_communication(const Problem& problem, int threads,
                                                                 const StopToken& stop);

}  // namespace neuroprim
