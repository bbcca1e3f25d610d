#pragma once

#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::routing {

/// Points gathered into clusters of about equal size, each with one of its points as its place.
struct Clusters {
    std::vector<Vertex> middle;   // (clusters) the point nearest to the mean of the cluster
    std::vector<double> mass;     // (clusters) how many points
    std::vector<Vertex> cluster;  // (n) which one a point is in
};

/// Halves the points along the longer side, again and again, till there are `count` clusters. O(n log count).
[[nodiscard]] Clusters gather_clusters(const Weights& points, std::size_t count);

/// A tree for many points, as a parent for each: that of the clusters' middles, which is searched for in `steps`
/// steps, and the points of each cluster around its middle. A good one to descend from. Stops searching when the stop
/// token expires.
[[nodiscard]] std::vector<Vertex> tree_of_clusters(const Weights& points, std::size_t count, std::int64_t steps,
                                                   Random random, const StopToken& stop);

}  // namespace neuroprim::routing
