#pragma once

#include <optional>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// A path through every vertex of a connected graph, or nothing when none was found within bounded work.
///
/// Extends `path` at both ends; where both are stuck it rotates (Pósa): an edge from the end to an inner vertex
/// replaces the one behind that vertex, which becomes the new end. Starts again from other vertices before it
/// gives up. Deterministic. Throws Interrupted when the stop token expires first.
[[nodiscard]] std::optional<std::vector<Vertex>> hamiltonian_path(const Weights& weights, std::vector<Vertex> path,
                                                                  const StopToken& stop = {});

}  // namespace neuroprim
