#pragma once

#include <vector>

#include "graph/watch.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::routing {

/// Points gathered into crowds of about equal size, each with one of its points as its place.
struct Crowds {
    std::vector<Vertex> middle;  // (crowds) the point nearest to the mean of the crowd
    std::vector<double> mass;    // (crowds) how many points
    std::vector<Vertex> crowd;   // (n) which one a point is in
};

/// Halves the points along the longer side, again and again, till there are `count` crowds. O(n log count).
[[nodiscard]] Crowds gather_crowds(const Weights& points, std::size_t count);

/// A tree for many points, as a parent for each: that of the crowds' middles, which is searched for in `steps` steps,
/// and the points of each crowd around its middle. A good one to descend from. Stops searching when the watch
/// expires.
[[nodiscard]] std::vector<Vertex> tree_of_crowds(const Weights& points, std::size_t count, std::int64_t steps,
                                                 Random random, const Watch& watch);

}  // namespace neuroprim::routing
