#include "graph/shortest_ways.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace neuroprim {

bool straight_lines_are_shortest(const Weights& weights) {
    if (weights.form() != Weights::Form::points) return false;
    const Metric metric = weights.metric();
    return metric == Metric::euclidean || metric == Metric::manhattan || metric == Metric::maximum ||
           metric == Metric::great_circle;
}

ShortestWays shortest_ways(const Weights& weights, Vertex source, const StopToken& stop) {
    const auto n = index(weights.size());
    ShortestWays ways{std::vector<Vertex>(n, no_vertex), std::vector<double>(n, Weights::infinity)};
    ways.length[index(source)] = 0;
    if (straight_lines_are_shortest(weights)) {
        for (Vertex v = 0; v < weights.size(); ++v) {
            if (v == source) continue;
            ways.length[index(v)] = weights(source, v);
            ways.parent[index(v)] = source;
        }
        return ways;
    }
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(0, source);
    while (!queue.empty()) {
        stop.check();
        const auto [length, u] = queue.top();
        queue.pop();
        if (length > ways.length[index(u)]) continue;
        weights.for_each_neighbour(u, [&, from = length, at = u](Vertex v, double weight) {
            if (from + weight >= ways.length[index(v)]) return;
            ways.length[index(v)] = from + weight;
            ways.parent[index(v)] = at;
            queue.emplace(from + weight, v);
        });
    }
    return ways;
}

}  // namespace neuroprim
