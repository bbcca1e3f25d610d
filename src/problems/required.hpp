#pragma once

#include <vector>

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// (n) Must the tree hold this vertex? The root, terminals and, unless the coverage says otherwise, all. One vertex
/// of a group is not required by itself. Ends of included edges are.
[[nodiscard]] std::vector<bool> required_by(const TreeSpec& spec, Vertex n);

}  // namespace neuroprim
