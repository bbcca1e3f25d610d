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

std::unique_ptr<Problem> classic_problem(std::string_view name, const Instance& instance,
                                         const ProblemOptions& options) {
    ProblemOptions read;
    if (name == "dcmst") read.degree = options.degree;
    if (name == "hmst") {
        read.root = options.root;
        read.hops = options.hops;
    }
    return make_problem(name, instance, read);
}

}  // namespace neuroprim::testing
