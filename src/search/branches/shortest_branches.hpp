#pragma once

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Where loads of branches are all that is limited: a tree with the same vertices in each branch or in parts of it,
/// each spanned with the root as short as it can be, and never longer. A policy says who shares a branch; given that,
/// nothing is left to choose. Other trees stay as they are. O(n · size of a branch), and O(n²) up to 1,000 vertices.
[[nodiscard]] Tree with_shortest_branches(const Problem& problem, Tree tree);

}  // namespace neuroprim
