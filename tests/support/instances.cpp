#include "support/instances.hpp"

namespace neuroprim::testing {

Instance paper_example() {
    return of_points({{0, 0}, {0, 1}, {1, 1}, {1, 0}, {-1, -0.5}});
}

Instance of_points(std::vector<Point> points, Metric metric) {
    Instance instance;
    instance.name = "points";
    instance.weights = Weights::from_points(std::move(points), metric);
    return instance;
}

Instance of_edges(Vertex n, std::vector<WeightedEdge> edges) {
    Instance instance;
    instance.name = "graph";
    instance.weights = Weights::from_edges(n, std::move(edges));
    return instance;
}

}  // namespace neuroprim::testing
