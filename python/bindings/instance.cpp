// Instances: graphs over NumPy's memory where its layout allows that, and what is known about their vertices.
#include "neuroprim/instance.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <optional>

#include "arrays.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"
#include "parts.hpp"
#include "pickling.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

static_assert(sizeof(Point) == 2 * sizeof(double));

Metric metric_named(const std::string& name) {
    if (const auto metric = metric_from_string(name)) return *metric;
    std::string known;
    for (const Metric metric : all_metrics())
        known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(metric));
    throw InputError(fmt::format("unknown metric \"{}\": expected one of {}", name, known));
}

void check_shape(const Doubles& array, bool square) {
    if (array.ndim() != 2 || array.shape(1) != (square ? array.shape(0) : 2)) {
        throw InputError(square ? "expected weights of shape (n, n)" : "expected points of shape (n, 2)");
    }
}

std::span<const Point> points_in(const Doubles& array) {
    return {reinterpret_cast<const Point*>(array.data()), static_cast<std::size_t>(array.shape(0))};
}

Instance from_points(const Doubles& points, const std::string& metric) {
    check_shape(points, false);
    Instance instance;
    instance.weights = Weights::from_points(points_in(points), keeper_of(points), metric_named(metric));
    return instance;
}

Instance from_matrix(const Doubles& rows) {
    check_shape(rows, true);
    Instance instance;
    instance.weights = Weights::from_matrix(static_cast<Vertex>(rows.shape(0)), numbers(rows), keeper_of(rows));
    return instance;
}

Instance from_edges(Vertex n, const Vertices& sources, const Vertices& targets, const Doubles& weights) {
    if (sources.size() != targets.size() || sources.size() != weights.size()) {
        throw InputError("expected as many weights as edges");
    }
    std::vector<WeightedEdge> edges(static_cast<std::size_t>(weights.size()));
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const auto at = static_cast<py::ssize_t>(k);
        edges[k] = {sources.data()[at], targets.data()[at], weights.data()[at]};
    }
    Instance instance;
    instance.weights = Weights::from_edges(n, std::move(edges));
    return instance;
}

/// Everything that may be said about the vertices of a graph; what is not given stays as it is.
struct Marks {
    std::optional<std::string> name;
    std::optional<Vertices> terminals;
    std::optional<std::vector<int>> degree_limits;
    std::optional<Vertices> leaves;
    std::optional<std::vector<double>> demands;
    std::optional<std::vector<double>> masses;
    std::optional<std::vector<double>> prizes;
    std::optional<std::vector<int>> groups;
    std::optional<Doubles> requirements;  // (n, n), symmetric
    std::optional<std::vector<std::string>> names;
    std::optional<Doubles> layout;  // (n, 2)
};

void mark_requirements(Instance& instance, const Doubles& rows) {
    check_shape(rows, true);
    const Vertex n = instance.size();
    if (rows.shape(0) != n) throw InputError(fmt::format("expected requirements of shape ({}, {})", n, n));
    instance.requirements.clear();
    const auto at = rows.unchecked<2>();
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = 0; v < u; ++v) {
            const double amount = at(u, v);
            constexpr double largest = 1e100;  // as files have it; times a weight it still is a double
            if (!(amount >= 0) || amount > largest || amount != at(v, u)) {
                throw InputError(fmt::format(
                    "requirement {}-{}: expected the same number from 0 to {:g} both ways, found {} and {}", u, v,
                    largest, amount, at(v, u)));
            }
            instance.requirements.push_back(amount);
        }
    }
}

std::vector<Vertex> increasing(const Vertices& given) {
    const auto listed = numbers(given);
    std::vector<Vertex> result(listed.begin(), listed.end());
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// One for each vertex, where they are given at all.
template <class Value>
void mark_each(std::vector<Value>& marks, const std::optional<std::vector<Value>>& given, std::size_t n,
               std::string_view what) {
    if (!given) return;
    if (given->size() != n) throw InputError(fmt::format("expected {} {}, found {}", n, what, given->size()));
    marks = *given;
}

Instance marked(Instance instance, const Marks& marks) {
    const auto n = index(instance.size());
    if (marks.name) instance.name = *marks.name;
    if (marks.terminals) instance.terminals = increasing(*marks.terminals);
    if (marks.leaves) instance.leaves = increasing(*marks.leaves);
    mark_each(instance.degree_limits, marks.degree_limits, n, "degree limits");
    mark_each(instance.demands, marks.demands, n, "demands");
    mark_each(instance.masses, marks.masses, n, "masses");
    mark_each(instance.prizes, marks.prizes, n, "prizes");
    mark_each(instance.groups, marks.groups, n, "groups");
    if (marks.requirements) mark_requirements(instance, *marks.requirements);
    mark_each(instance.names, marks.names, n, "names");
    if (marks.layout) {
        check_shape(*marks.layout, false);
        const auto points = points_in(*marks.layout);
        if (points.size() != n) throw InputError(fmt::format("expected positions of shape ({}, 2)", n));
        instance.layout.assign(points.begin(), points.end());
    }
    return instance;
}

/// (n, 2) over the instance's own memory, or nothing.
py::object positions_of(const py::object& self) {
    const auto points = self.cast<const Instance&>().positions();
    if (points.empty()) return py::none();
    const auto rows = static_cast<py::ssize_t>(points.size());
    py::array_t<double> view({rows, py::ssize_t{2}}, reinterpret_cast<const double*>(points.data()), self);
    view.attr("setflags")(py::arg("write") = false);
    return view;
}

py::array weights_of(const Instance& instance, const Vertices& edges) {
    const std::vector<Edge> pairs = edges_from(edges);
    py::array_t<double> result(static_cast<py::ssize_t>(pairs.size()));
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto& [u, v] = pairs[k];
        for (const Vertex end : {u, v}) {
            if (end < 0 || end >= instance.size()) throw py::index_error(fmt::format("there is no vertex {}", end));
        }
        result.mutable_data()[k] = instance.weights(u, v);
    }
    return result;
}

Instance random_instance(Vertex n, const std::string& shape, Vertex terminals, bool requirements,
                         double average_degree, std::uint64_t seed) {
    const auto known = shape_from_string(shape);
    if (!known) {
        throw InputError(
            fmt::format("unknown shape \"{}\": expected uniform, clustered, grid, matrix or sparse", shape));
    }
    GenerateOptions options;
    options.shape = *known;
    options.n = n;
    options.terminals = terminals;
    options.requirements = requirements;
    options.average_degree = average_degree;
    options.seed = seed;
    return generate(options);
}

/// What was read, and what the reader warned of on its way.
using Found = std::pair<std::vector<Instance>, std::vector<std::string>>;

using MapTexts = std::map<std::string, std::string>;

template <class Read>
Found with_warnings(const std::string& format, std::size_t max_input, const MapTexts& map, Read&& read) {
    Found found;
    MapOptions map_options;
    for (const auto& [name, value] : map) set_map_option(map_options, name, value);
    const Warn warn = [&](const std::string& message) { found.second.push_back(message); };
    found.first = read(ReadOptions{format, max_input, warn, map_options});
    return found;
}

std::string_view form_name(Weights::Form form) {
    switch (form) {
        case Weights::Form::points:
            return "points";
        case Weights::Form::matrix:
            return "matrix";
        case Weights::Form::sparse:
            break;
    }
    return "sparse";
}

}  // namespace

void bind_instance(py::module_& module) {
    // Arrays must come as they are read: noconvert() refuses those that pybind11 would copy.
    py::class_<Instance, std::shared_ptr<Instance>>(module, "Instance")
        .def_static("from_points", from_points, py::arg("points").noconvert(), py::arg("metric"))
        .def_static("from_matrix", from_matrix, py::arg("rows").noconvert())
        .def_static("from_edges", from_edges, py::arg("n"), py::arg("sources"), py::arg("targets"),
                    py::arg("weights").noconvert())
        .def_static(
            "read",
            [](const std::string& path, const std::string& format, std::size_t max_input, const MapTexts& map) {
                const py::gil_scoped_release released;
                return with_warnings(format, max_input, map,
                                     [&](const ReadOptions& options) { return read_instances(path, options); });
            },
            py::arg("path"), py::arg("format") = "", py::arg("max_input") = default_max_input,
            py::arg("map") = MapTexts{})
        .def_static(
            "parse",
            [](const std::string& text, const std::string& source, const std::string& format, const MapTexts& map) {
                return with_warnings(format, default_max_input, map, [&](const ReadOptions& options) {
                    return parse_instances(text, source, options);
                });
            },
            py::arg("text"), py::arg("source"), py::arg("format") = "", py::arg("map") = MapTexts{})
        .def_static("random", random_instance, py::arg("n"), py::arg("shape"), py::arg("terminals"),
                    py::arg("requirements"), py::arg("average_degree"), py::arg("seed"))
        .def(
            "marked",
            [](const Instance& self, const std::optional<std::string>& name, const std::optional<Vertices>& terminals,
               const std::optional<std::vector<int>>& degree_limits, const std::optional<Vertices>& leaves,
               const std::optional<std::vector<double>>& demands, const std::optional<std::vector<double>>& masses,
               const std::optional<std::vector<double>>& prizes, const std::optional<std::vector<int>>& groups,
               const std::optional<Doubles>& requirements, const std::optional<std::vector<std::string>>& names,
               const std::optional<Doubles>& layout) {
                return marked(self, {name, terminals, degree_limits, leaves, demands, masses, prizes, groups,
                                     requirements, names, layout});
            },
            py::kw_only(), py::arg("name") = py::none(), py::arg("terminals") = py::none(),
            py::arg("degree_limits") = py::none(), py::arg("leaves") = py::none(), py::arg("demands") = py::none(),
            py::arg("masses") = py::none(), py::arg("prizes") = py::none(), py::arg("groups") = py::none(),
            py::arg("requirements") = py::none(), py::arg("names") = py::none(), py::arg("layout") = py::none())
        .def("with_metric",
             [](Instance self, const std::string& metric) {
                 self.weights = self.weights.with_metric(metric_named(metric));
                 return self;
             })
        .def(
            "around",
            [](const Instance& self, const std::string& areas, const std::string& source) {
                const py::gil_scoped_release released;
                std::vector<std::string> told;
                ReadOptions options;
                options.warn = [&](const std::string& message) { told.push_back(message); };
                const auto obstacles = parse_obstacles(areas, source, self.weights.metric(), options);
                return std::pair(around_obstacles(self, obstacles), told);
            },
            py::arg("areas"), py::arg("source"))
        .def("save", [](const Instance& self, const std::string& path) { write_instance(path, self); })
        .def("weights_of", weights_of)
        .def(py::pickle([](const Instance& self) { return state_of(self); },
                        [](const py::tuple& state) { return instance_from(state); }))
        .def_property_readonly("n", &Instance::size)
        .def_readonly("name", &Instance::name)
        .def_readonly("names", &Instance::names)
        .def_readonly("degree_limits", &Instance::degree_limits)
        .def_readonly("demands", &Instance::demands)
        .def_readonly("masses", &Instance::masses)
        .def_readonly("prizes", &Instance::prizes)
        .def_readonly("groups", &Instance::groups)
        .def_readonly("root", &Instance::root)
        .def_readonly("other_roots", &Instance::other_roots)
        .def_property_readonly("leaves", [](const Instance& self) { return vertices_copy(self.leaves); })
        .def_property_readonly("has_requirements", [](const Instance& self) { return !self.requirements.empty(); })
        .def_property_readonly("terminals", [](const Instance& self) { return vertices_copy(self.terminals); })
        .def_property_readonly("positions", positions_of)
        .def_property_readonly("form", [](const Instance& self) { return form_name(self.weights.form()); })
        .def_property_readonly("metric", [](const Instance& self) { return to_string(self.weights.metric()); })
        .def_property_readonly("edge_count", [](const Instance& self) { return self.weights.edge_count(); });
}

}  // namespace neuroprim::python
