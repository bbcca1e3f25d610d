#pragma once

#include "neuroprim/problem.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim::rooted {

/// Are exchanges worth trying? Where degrees are limited together with hops or the diameter, the upper vertices are
/// full: what comes down to them finds no place there, but may take that of another.
[[nodiscard]] bool gains_by_exchanges(const TreeSpec& spec);

/// What the edges of `a` and `b` weigh more when the two vertices exchange their places in the tree: each gets the
/// other's parent and children. Infinity where one of them may not leave its place. O(degree).
[[nodiscard]] double exchange_cost(const Problem& problem, const ResourceTree& tree, Vertex a, Vertex b);

/// Exchanges them. False when the limits do not allow it: the tree is then in pieces and has to be rolled back.
[[nodiscard]] bool exchange(ResourceTree& tree, Vertex a, Vertex b);

}  // namespace neuroprim::rooted
