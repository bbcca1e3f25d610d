#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// The exact minimum spanning tree of the complete graph on points under vertex penalties: an edge uv costs
/// w(u,v) + p(u) + p(v). Borůvka's rounds over a k-d tree: a point looks for its cheapest edge out of its component,
/// and leaves out boxes whose distance and least penalty together are no better than what the component has. About
/// n log n where penalties differ no more than neighbours are apart.
///
/// The work can be laid down and taken up again.
class CompleteMst {
public:
    virtual ~CompleteMst() = default;

    /// Begins the tree for these penalties. `known` are some edges of the graph: the more of the tree is among them,
    /// the quicker. Neither may change before the tree is finished.
    virtual void begin(std::span<const double> penalties, std::span<const WeightedEdge> known) = 0;

    /// True when the tree is finished, false when `looks` at points and boxes were used up or the stop token expired
    /// before. Takes off `looks` what it used.
    [[nodiscard]] virtual bool advance(std::int64_t& looks, const StopToken& stop) = 0;

    /// The finished tree's edges with their weights, penalties left out.
    [[nodiscard]] virtual std::span<const WeightedEdge> edges() const = 0;

    /// Those of them that are not among the known ones.
    [[nodiscard]] virtual std::span<const WeightedEdge> discovered() const = 0;
};

/// Is the graph one of points in the plane?
[[nodiscard]] bool complete_mst_takes(const Weights& weights);

/// Sorts the points into a k-d tree, O(n log n). Throws Interrupted when the stop token expires first.
[[nodiscard]] std::unique_ptr<CompleteMst> make_complete_mst(const Weights& weights, const StopToken& stop);

}  // namespace neuroprim
