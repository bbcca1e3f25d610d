#pragma once

#include <optional>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Trees over all vertices that take next to no time, whatever they cost: on complete graphs a path, along a curve
/// where there are points, and a star; otherwise the tree of fewest hops. From the first vertex that the problem may
/// start from. The problem's rules decide which of them are feasible. O(n log n) on points, O(n) on matrices, O(m)
/// otherwise.
[[nodiscard]] std::vector<Tree> trees_at_hand(const Problem& problem);

/// On complete graphs the flattest tree that limited degrees allow, by numbers and not by weights: what keeps hops
/// and diameters if anything does. Nothing where the vertices find no place. O(n), O(n log n) where degrees differ.
[[nodiscard]] std::optional<Tree> flattest_tree(const Problem& problem);

}  // namespace neuroprim
