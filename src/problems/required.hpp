#pragma once

#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// (n) Must the tree hold this vertex? The root, terminals and, unless the coverage says otherwise, all. One vertex
/// of a group is not required by itself. Ends of included edges are.
[[nodiscard]] std::vector<bool> required_by(const TreeSpec& spec, Vertex n);

/// May the tree leave this vertex out where it does not pay?
[[nodiscard]] bool is_expendable(const Problem& problem, Vertex v);

}  // namespace neuroprim
