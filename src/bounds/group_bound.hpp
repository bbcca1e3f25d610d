#pragma once

#include <memory>

#include "bounds/bound_process.hpp"

namespace neuroprim {

/// For trees that hold exactly one vertex of each group, by length. Each group becomes a terminal that is joined to
/// its vertices, which is a Steiner problem (at least one of each group); dual ascent bounds it, and branching on
/// vertices keeps at most one of each group, so that the bound meets the optimum in the end. Graphs of very many
/// edges have no bound.
[[nodiscard]] std::unique_ptr<BoundProcess> make_group_bound(const Problem& problem);

/// Does `make_group_bound` take the problem? Limits only make trees dearer, so they may be there.
[[nodiscard]] bool group_bound_suits(const Problem& problem);

}  // namespace neuroprim
