// What came out: the tree, its cost and bound; pictures and files of it.
#include "neuroprim/solve.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/optimality.hpp"
#include "neuroprim/picture.hpp"
#include "parts.hpp"
#include "pickling.hpp"

namespace neuroprim::python {

namespace py = pybind11;

void bind_solution(py::module_& module) {
    py::class_<CostStatistics>(
        module, "Statistics",
        "How all the trees of a neural method did: how many, dead ends, mean cost and standard deviation.")
        .def_readonly("trees", &CostStatistics::trees)
        .def_readonly("dead_ends", &CostStatistics::dead_ends)
        .def_readonly("mean", &CostStatistics::mean)
        .def_readonly("deviation", &CostStatistics::deviation)
        .def(py::pickle([](const CostStatistics& self) { return state_of(self); },
                        [](const py::tuple& state) { return statistics_from(state); }))
        .def("__repr__", [](const CostStatistics& self) {
            return fmt::format("<neuroprim.Statistics: {} trees, {} dead ends, mean {:.10g}, deviation {:.4g}>",
                               self.trees, self.dead_ends, self.mean, self.deviation);
        });

    py::class_<Solution, std::shared_ptr<Solution>>(module, "Solution")
        .def(py::pickle([](const Solution& self) { return state_of(self); },
                        [](const py::tuple& state) { return solution_from(state); }))
        .def_readonly("problem", &Solution::problem)
        .def_readonly("method", &Solution::method)
        .def_readonly("seed", &Solution::seed)
        .def_readonly("cost", &Solution::cost)
        .def_readonly("bound", &Solution::bound)
        .def_property_readonly("proven", &Solution::proven)
        .def_readonly("seconds", &Solution::seconds)
        .def_readonly("statistics", &Solution::statistics)
        .def_readonly("found_by", &Solution::found_by)
        .def_readonly("iterations", &Solution::iterations)
        .def_readonly("warnings", &Solution::warnings)
        .def_readonly("specification", &Solution::specification)
        .def_property_readonly("start", [](const Solution& self) { return self.tree.start; })
        .def_property_readonly("roots", &Solution::roots)
        .def_readonly("crossings", &Solution::crossings)
        .def_property_readonly(
            "edges", [](const py::object& self) { return edges_view(self.cast<const Solution&>().tree.edges, self); })
        .def("to_json",
             [](const Solution& self, const Instance& instance) { return solution_to_json(instance, self); })
        .def("to_svg",
             [](const Solution& self, const Instance& instance, double width) {
                 PictureOptions options;
                 options.width = width;
                 return to_svg(draw_tree(instance, self, options));
             })
        .def("save", [](const Solution& self, const Instance& instance, const std::string& path) {
            write_solution(path, instance, self);
        });
    module.def("gap_percent", &gap_percent, py::arg("cost"), py::arg("bound"));
}

}  // namespace neuroprim::python
