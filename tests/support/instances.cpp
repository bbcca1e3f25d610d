#include "support/instances.hpp"

#include <algorithm>

#include "neuroprim/generate.hpp"

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

Instance small_instance(Vertex n, std::uint64_t seed) {
    GenerateOptions options{.n = n, .seed = seed};
    if (seed % 3 == 1) options.shape = GenerateOptions::Shape::matrix;
    if (seed % 3 == 2) {
        options.shape = GenerateOptions::Shape::sparse;
        options.average_degree = std::min(4.0, options.n - 1.0);
    }
    if (seed % 2 == 0) options.scale = 20, options.integers = true;
    return generate(options);
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
