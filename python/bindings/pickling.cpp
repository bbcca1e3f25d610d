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

/// w(1,0), w(2,0), w(2,1), …: missing edges of a matrix stay where they are.
py::array lower_triangle(const Weights& weights) {
    std::vector<double> lower;
    for (Vertex u = 0; u < weights.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) lower.push_back(weights(u, v));
    }
    return py::array_t<double>(static_cast<py::ssize_t>(lower.size()), lower.data());
}

/// (edges, weights) of a sparse graph.
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

py::object graph_state(const Weights& weights) {
    switch (weights.form()) {
        case Weights::Form::points:
            return points_copy(weights.points());
        case Weights::Form::matrix:
            return lower_triangle(weights);
        case Weights::Form::sparse:
            break;
    }
    return edges_and_weights(weights);
}

Weights weights_from(Vertex n, const py::object& given) {
    if (!py::isinstance<py::tuple>(given)) {
        return Weights::from_lower_triangle(n, numbers(py::cast<Doubles>(given)));
    }
    const auto state = py::cast<py::tuple>(given);
    const std::vector<Edge> ends = edges_from(py::cast<Vertices>(state[0]));
    const auto amounts = py::cast<Doubles>(state[1]);
    std::vector<WeightedEdge> edges;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        edges.push_back({ends[k].u, ends[k].v, amounts.data()[static_cast<py::ssize_t>(k)]});
    }
    return Weights::from_edges(n, std::move(edges));
}

py::list paths_copy(const std::vector<std::vector<Point>>& paths) {
    py::list result;
    for (const auto& path : paths) result.append(points_copy(path));
    return result;
}

std::vector<std::vector<Point>> paths_from(const py::handle& state) {
    std::vector<std::vector<Point>> result;
    for (const auto& path : state) result.push_back(points_from(path));
    return result;
}

/// Numbers of every line and address in rows, and the points between them.
py::object map_state(const StreetMap* map) {
    if (map == nullptr) return py::none();
    std::vector<std::int64_t> lines;
    for (const auto& [u, v, begin, end, feature] : map->lines) {
        for (const auto number : {std::int64_t{u}, std::int64_t{v}, static_cast<std::int64_t>(begin),
                                  static_cast<std::int64_t>(end), feature}) {
            lines.push_back(number);
        }
    }
    py::list addresses;
    for (const auto& [feature, at, vertex, metres] : map->addresses) {
        addresses.append(py::make_tuple(feature, at.x, at.y, vertex, metres));
    }
    return py::make_tuple(py::array_t<std::int64_t>(static_cast<py::ssize_t>(lines.size()), lines.data()),
                          points_copy(map->points), addresses, paths_copy(map->backdrop), paths_copy(map->areas),
                          map->has_streets, map->is_on_earth);
}

std::shared_ptr<const StreetMap> map_from(const py::object& given) {
    if (given.is_none()) return nullptr;
    const auto state = py::cast<py::tuple>(given);
    auto map = std::make_shared<StreetMap>();
    const auto lines = py::cast<py::array_t<std::int64_t, py::array::c_style>>(state[0]);
    for (py::ssize_t k = 0; k + 5 <= lines.size(); k += 5) {
        const std::int64_t* row = lines.data() + k;
        map->lines.push_back({static_cast<Vertex>(row[0]), static_cast<Vertex>(row[1]),
                              static_cast<std::size_t>(row[2]), static_cast<std::size_t>(row[3]), row[4]});
    }
    map->points = points_from(state[1]);
    for (const auto& each : state[2]) {
        const auto row = py::cast<py::tuple>(each);
        map->addresses.push_back({row[0].cast<std::int64_t>(),
                                  {row[1].cast<double>(), row[2].cast<double>()},
                                  row[3].cast<Vertex>(),
                                  row[4].cast<double>()});
    }
    map->backdrop = paths_from(state[3]);
    map->areas = paths_from(state[4]);
    map->has_streets = state[5].cast<bool>();
    map->is_on_earth = state[6].cast<bool>();
    return map;
}

}  // namespace

py::tuple state_of(const Instance& instance) {
    const Weights& weights = instance.weights;
    const bool points = weights.form() == Weights::Form::points;
    return py::make_tuple(
        weights.size(), graph_state(weights), points ? std::string(to_string(weights.metric())) : std::string(),
        instance.name, points_copy(instance.layout), instance.terminals, instance.degree_limits,
        instance.requirements, instance.names, instance.leaves, instance.demands, instance.prizes, instance.groups,
        instance.root, instance.other_roots, map_state(instance.map.get()), instance.masses);
}

Instance instance_from(const py::tuple& state) {
    if (state.size() != 17) throw InputError("this is no pickled instance of this version");
    Instance instance;
    const auto metric = metric_from_string(state[2].cast<std::string>());
    instance.weights = metric ? Weights::from_points(points_from(state[1]), *metric)
                              : weights_from(state[0].cast<Vertex>(), state[1]);
    instance.name = state[3].cast<std::string>();
    instance.layout = points_from(state[4]);
    instance.terminals = state[5].cast<std::vector<Vertex>>();
    instance.degree_limits = state[6].cast<std::vector<int>>();
    instance.requirements = state[7].cast<std::vector<double>>();
    instance.names = state[8].cast<std::vector<std::string>>();
    instance.leaves = state[9].cast<std::vector<Vertex>>();
    instance.demands = state[10].cast<std::vector<double>>();
    instance.prizes = state[11].cast<std::vector<double>>();
    instance.groups = state[12].cast<std::vector<int>>();
    instance.root = state[13].cast<std::optional<Vertex>>();
    instance.other_roots = state[14].cast<std::vector<Vertex>>();
    instance.map = map_from(state[15]);
    instance.masses = state[16].cast<std::vector<double>>();
    return instance;
}

py::tuple state_of(const Solution& solution) {
    py::object statistics = py::none();
    if (const auto& known = solution.statistics) statistics = state_of(*known);
    return py::make_tuple(solution.instance, solution.problem, solution.n, solution.method, solution.seed,
                          solution.cost, solution.bound, solution.tree.start, edges_copy(solution.tree.edges),
                          solution.seconds, statistics, solution.found_by, solution.iterations,
                          solution.specification, solution.warnings, solution.other_roots, solution.crossings);
}

Solution solution_from(const py::tuple& state) {
    if (state.size() != 17) throw InputError("this is no pickled solution of this version");
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
    if (!state[10].is_none()) solution.statistics = statistics_from(state[10].cast<py::tuple>());
    solution.found_by = state[11].cast<std::string>();
    solution.iterations = state[12].cast<std::int64_t>();
    solution.specification = state[13].cast<std::string>();
    solution.warnings = state[14].cast<std::vector<std::string>>();
    solution.other_roots = state[15].cast<std::vector<Vertex>>();
    solution.crossings = state[16].cast<std::optional<std::size_t>>();
    return solution;
}

py::tuple state_of(const CostStatistics& statistics) {
    return py::make_tuple(statistics.trees, statistics.dead_ends, statistics.mean, statistics.deviation);
}

CostStatistics statistics_from(const py::tuple& state) {
    if (state.size() != 4) throw InputError("these are no pickled statistics of this version");
    return {state[0].cast<std::size_t>(), state[1].cast<std::size_t>(), state[2].cast<double>(),
            state[3].cast<double>()};
}

py::tuple state_of(const ExplainedStep& step) {
    std::vector<Edge> edges;
    std::vector<double> probabilities;
    for (const auto& [edge, probability] : step.alternatives) {
        edges.push_back(edge);
        probabilities.push_back(probability);
    }
    return py::make_tuple(step.chosen.u, step.chosen.v, step.probability, step.entropy, step.open_edges,
                          edges_copy(edges), probabilities);
}

ExplainedStep step_from(const py::tuple& state) {
    if (state.size() != 7) throw InputError("this is no pickled decision of this version");
    ExplainedStep step{{state[0].cast<Vertex>(), state[1].cast<Vertex>()},
                       state[2].cast<double>(),
                       state[3].cast<double>(),
                       state[4].cast<std::size_t>(),
                       {}};
    const std::vector<Edge> edges = edges_from(state[5].cast<Vertices>());
    const auto probabilities = state[6].cast<std::vector<double>>();
    for (std::size_t k = 0; k < edges.size(); ++k) step.alternatives.push_back({edges[k], probabilities.at(k)});
    return step;
}

py::tuple state_of(const Explanation& explanation) {
    py::list steps;
    for (const auto& step : explanation.steps) steps.append(state_of(step));
    return py::make_tuple(explanation.problem, explanation.start, steps, explanation.complete,
                          explanation.log_probability, explanation.tree.start, edges_copy(explanation.tree.edges),
                          explanation.cost);
}

Explanation explanation_from(const py::tuple& state) {
    if (state.size() != 8) throw InputError("this is no pickled explanation of this version");
    Explanation explanation;
    explanation.problem = state[0].cast<std::string>();
    explanation.start = state[1].cast<Vertex>();
    for (const auto& step : state[2].cast<py::list>()) explanation.steps.push_back(step_from(step.cast<py::tuple>()));
    explanation.complete = state[3].cast<bool>();
    explanation.log_probability = state[4].cast<double>();
    explanation.tree = {state[5].cast<Vertex>(), edges_from(state[6].cast<Vertices>())};
    explanation.cost = state[7].cast<double>();
    return explanation;
}

}  // namespace neuroprim::python
