// The names that functions take: problems, methods, metrics, shapes of random instances.
#include <pybind11/stl.h>

#include <thread>

#include "neuroprim/metric.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/parameters.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "parts.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

/// The table of parameters, for checks and for those who write interfaces.
py::list parameter_table() {
    py::list result;
    for (const Parameter& one : parameters()) {
        py::dict row;
        row["name"] = std::string(one.name);
        row["type"] = std::string(name_of(one.type));
        row["specifies"] = one.group == ParameterGroup::limits || one.group == ParameterGroup::vertices;
        row["least"] = one.range.least;
        row["most"] = one.range.most;
        row["usual"] = std::string(one.usual);
        row["help"] = std::string(one.help);
        row["readers"] = std::string(one.readers);
        result.append(row);
    }
    return result;
}

}  // namespace

void bind_registry(py::module_& module) {
    module.def("parameters", parameter_table);
    module.def("renamed", [](const std::string& former) { return std::string(renamed(former)); });
    module.def("expected_instead_of",
               [](const std::string& name, double value) { return expected_instead_of(parameter(name), value); });
    module.def("check_use",
               [](const std::string& name, const std::string& method) { check_use(parameter(name), method); });
    module.def(
        "problems",
        [] {
            py::dict titles;
            for (const auto& kind : problem_kinds())
                titles[py::str(std::string(kind.name))] = std::string(kind.title);
            return titles;
        },
        "Names and titles of the problems that solve knows.");
    module.def(
        "methods",
        [] {
            py::dict titles;
            for (const auto& method : solve_methods())
                titles[py::str(std::string(method.name))] = std::string(method.title);
            return titles;
        },
        "Names and titles of the methods that solve knows.");
    module.def("is_neural", &is_neural, "Does a method by this name grow all its trees by a policy?");
    module.def(
        "metrics",
        [] {
            std::vector<std::string> names;
            for (const Metric metric : all_metrics()) names.emplace_back(to_string(metric));
            return names;
        },
        "Names of the ways in which points may be measured.");
    module.def(
        "model_folders",
        [] {
            std::vector<std::string> folders;
            for (const auto& folder : model_folders()) folders.push_back(folder.string());
            return folders;
        },
        "Where pretrained models are looked for, in order.");
    module.def("find_model", [](const std::string& name) -> std::optional<std::string> {
        const auto file = find_model(std::string_view(name));
        return file ? std::optional(file->string()) : std::nullopt;
    });
    module.def("most_sides", [] { return most_augmentations; });
    module.def("cores", [] { return std::max(1U, std::thread::hardware_concurrency()); });
}

}  // namespace neuroprim::python
