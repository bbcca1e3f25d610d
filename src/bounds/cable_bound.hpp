#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// For cables that join terminals. With prices above a line (`price_lines`), a tree costs at least a part of the
/// Steiner tree and a part of the shortest ways of all demands to the root. The Steiner tree is bounded by dual
/// ascent and branching. Null for other problems.
[[nodiscard]] std::unique_ptr<BoundProcess> make_cable_bound(const Problem& problem);

}  // namespace neuroprim
