#pragma once

#include <optional>
#include <span>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// A vertex that alone holds more parts of the graph together than it may have tree edges.
struct Bottleneck {
    Vertex vertex;
    int parts;
};

/// The first bottleneck of a connected graph: with one, no spanning tree keeps the limits. O(n + m).
[[nodiscard]] std::optional<Bottleneck> find_bottleneck(std::span<const WeightedEdge> edges,
                                                        std::span<const int> limits);

}  // namespace neuroprim
