#include "pickling.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

py::array points_copy(std::span<const Point> points) {
    return py::array_t<double>({static_cast<py::ssize_t>(points.size()), py::ssize_t{2}},
                               reinterpret_cast<const double*>(points.data()));
}

std::vector<Point> points_from(const py::handle& state) {
    const auto array = py::cast<Doubles>(state);
    const auto* first = reinterpret_cast<const Point*>(array.data());
    return {first, first + array.shape(0)};
}

/// (edges, weights) of a graph without points.
py::tuple edges_and_weights(const Weights& weights) {
    std::vector<Edge> edges;
    std::vector<double> amounts;
    for (const auto& [u, v, weight] : weights.edges()) {
        edges.push_back({u, v});
        amounts.push_back(weight);
    }
    return py::make_tuple(edges_copy(edges),
                          py::array_t<double>(static_cast<py::ssize_t>(amounts.size()), amounts.data()));
}

Weights weights_from(Vertex n, const py::tuple& state) {
    const std::vector<Edge> ends = edges_from(py::cast<Vertices>(state[0]));
    const auto amounts = py::cast<Doubles>(state[1]);
    std::vector<WeightedEdge> edges;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        edges.push_back({ends[k].u, ends[k].v, amounts.data()[static_cast<py::ssize_t>(k)]});
    }
    return Weights::from_edges(n, std::move(edges));
}

}  // namespace

py::tuple state_of(const Instance& instance) {
    const Weights& weights = instance.weights;
    const bool points = weights.form() == Weights::Form::points;
    return py::make_tuple(weights.size(),
                          points ? py::object(points_copy(weights.points())) : edges_and_weights(weights),
                          points ? std::string(to_string(weights.metric())) : std::string(), instance.name,
                          points_copy(instance.layout), instance.terminals, instance.degree_limits,
                          instance.requirements, instance.names);
}

Instance instance_from(const py::tuple& state) {
    if (state.size() != 9) throw InputError("this is no pickled instance of this version");
    Instance instance;
    const auto metric = metric_from_string(state[2].cast<std::string>());
    instance.weights = metric ? Weights::from_points(points_from(state[1]), *metric)
                              : weights_from(state[0].cast<Vertex>(), state[1].cast<py::tuple>());
    instance.name = state[3].cast<std::string>();
    instance.layout = points_from(state[4]);
    instance.terminals = state[5].cast<std::vector<Vertex>>();
    instance.degree_limits = state[6].cast<std::vector<int>>();
    instance.requirements = state[7].cast<std::vector<double>>();
    instance.names = state[8].cast<std::vector<std::string>>();
    return instance;
}

py::tuple state_of(const Solution& solution) {
    py::object statistics = py::none();
    if (const auto& known = solution.statistics) {
        statistics = py::make_tuple(known->trees, known->dead_ends, known->mean, known->deviation);
    }
    return py::make_tuple(solution.instance, solution.problem, solution.n, solution.method, solution.seed,
                          solution.cost, solution.bound, solution.tree.start, edges_copy(solution.tree.edges),
                          solution.seconds, statistics, solution.found_by, solution.iterations);
}

Solution solution_from(const py::tuple& state) {
    if (state.size() != 13) throw InputError("this is no pickled solution of this version");
    Solution solution;
    solution.instance = state[0].cast<std::string>();
    solution.problem = state[1].cast<std::string>();
    solution.n = state[2].cast<Vertex>();
    solution.method = state[3].cast<std::string>();
    solution.seed = state[4].cast<std::uint64_t>();
    solution.cost = state[5].cast<double>();
    solution.bound = state[6].cast<std::optional<double>>();
    solution.tree = {state[7].cast<Vertex>(), edges_from(state[8].cast<Vertices>())};
    solution.seconds = state[9].cast<double>();
    if (!state[10].is_none()) {
        const auto known = state[10].cast<py::tuple>();
        solution.statistics = CostStatistics{known[0].cast<std::size_t>(), known[1].cast<std::size_t>(),
                                             known[2].cast<double>(), known[3].cast<double>()};
    }
    solution.found_by = state[11].cast<std::string>();
    solution.iterations = state[12].cast<std::int64_t>();
    return solution;
}

}  // namespace neuroprim::python
