#pragma once

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A star over all vertices of a complete graph around a centre that is nearly the best: all vertices are compared by
/// their distances to a few others, the better ones to more and more. Some 30 n distances, no n² as `star` needs.
[[nodiscard]] Tree quick_star(const Problem& problem);

}  // namespace neuroprim
