#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A forest as edges of the graph, filled up to a spanning tree of a connected graph: first with edges whose
/// ends have residual capacity under `limits`, the lightest first, then with any.
[[nodiscard]] Tree completed(const Tree& forest, std::span<const WeightedEdge> edges, std::span<const int> limits);

struct RepairOptions {
    /// Among exchanges that leave the same excess: the least weight, or any at random. The first gives cheaper
    /// trees, the second is far less often caught where limits are tight.
    bool mind_weights = true;
    std::size_t rounds = 0;  ///< exchanges before it gives up
    std::uint64_t seed = 0;  ///< varies the order of equals and the tabu times
};

/// Exchanges edges of a spanning tree till no vertex has more of them than its limit. The graph must have no
/// vertex that alone holds more parts together than its limit (problems/cut_vertices.hpp). Every vertex and edge
/// looked at is taken off `visits_left`; at zero it gives up.
///
/// While a vertex v has too many, one of its edges gives way to a graph edge between the two parts that leaves
/// the least excess. When all such edges end in full vertices the excess moves on to one of those, and a tabu
/// list keeps it from moving straight back. Throws Interrupted when the stop token expires first. `edges` are sorted
/// by (u, v), u < v, as `Weights::edges` gives them.
[[nodiscard]] std::optional<Tree> repair_degrees(const Tree& tree, std::span<const WeightedEdge> edges,
                                                 std::span<const int> limits, const RepairOptions& options,
                                                 std::size_t& visits_left, const StopToken& stop = {});

}  // namespace neuroprim
