#pragma once

#include <memory>
#include <vector>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// Several bounds of one problem that take turns, each a slice of work. The value is the best of theirs: each relaxes
/// the limits that it does not know, so each is a bound for the specification with all of them. A favourite, which
/// will end with the optimum, has three turns of four.
[[nodiscard]] std::unique_ptr<BoundProcess> best_of_bounds(const Problem& problem,
                                                           std::vector<std::unique_ptr<BoundProcess>> bounds,
                                                           std::unique_ptr<BoundProcess> favourite = nullptr);

}  // namespace neuroprim
