#include "rule_views.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <stdexcept>

#include "arrays.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/problem.hpp"
#include "parts.hpp"

namespace neuroprim::python {

namespace py = pybind11;

const Construction& StateView::state() const {
    if (state_ == nullptr) throw std::runtime_error("a state lives only during the call of the rule it was given to");
    return *state_;
}

Vertex StateView::checked(Vertex v) const {
    const Vertex n = state().problem().size();
    if (v < 0 || v >= n) throw py::index_error(fmt::format("vertex {} is not among the {} vertices", v, n));
    return v;
}

namespace {

py::array weights_in(const TreeView& view) {
    py::array_t<double> result(static_cast<py::ssize_t>(view.tree.edges.size()));
    for (std::size_t k = 0; k < view.tree.edges.size(); ++k) {
        const auto& [u, v] = view.tree.edges[k];
        result.mutable_data()[k] = view.weights(u, v);
    }
    return result;
}

py::array degrees_in(const TreeView& view) {
    const std::vector<int> degree = degrees(view.tree, view.weights.size());
    return py::array_t<int>(static_cast<py::ssize_t>(degree.size()), degree.data());
}

RootedTree hung(const TreeView& view, Vertex root) {
    const Vertex n = view.weights.size();
    if (root < 0 || root >= n) throw py::index_error(fmt::format("vertex {} is not among the {} vertices", root, n));
    return hang(view.tree, root, n);
}

TreeView pruned_view(const TreeView& view, const std::vector<bool>& keep) {
    if (keep.size() != index(view.weights.size())) {
        throw InputError(fmt::format("expected {} booleans, found {}", view.weights.size(), keep.size()));
    }
    return {pruned(view.tree, keep), view.weights, view.instance, {}};
}

void bind_state(py::module_& module) {
    const auto about = [](auto question) {
        return [question](const StateView& view, Vertex v) { return (view.state().*question)(view.checked(v)); };
    };
    py::class_<StateView>(module, "State",
                          "A growing tree, as a rule sees it: the vertices in it, their degrees, depths and parents, "
                          "and those outside. "
                          "It lives for one call of a rule.")
        .def("contains", about(&Construction::contains), "Is `v` in the tree?")
        .def("__contains__", about(&Construction::contains))
        .def("degree", about(&Construction::degree), "The number of tree edges at `v`.")
        .def("depth", about(&Construction::depth), "Edges between `v` and the start; -1 outside.")
        .def("parent", about(&Construction::parent), "The vertex that `v` joined through; -1 for the start.")
        .def("is_open", about(&Construction::is_open), "Is `v` in the tree, with room for another child?")
        .def("weight", [](const StateView& view, Vertex u,
                          Vertex v) { return view.state().problem().weights()(view.checked(u), view.checked(v)); })
        .def("__len__", [](const StateView& view) { return view.state().size(); })
        .def_property_readonly("size", [](const StateView& view) { return view.state().size(); })
        .def_property_readonly("start", [](const StateView& view) { return view.state().start(); })
        .def_property_readonly("n", [](const StateView& view) { return view.state().problem().size(); })
        .def_property_readonly("required_outside",
                               [](const StateView& view) { return view.state().required_outside(); })
        .def_property_readonly("open", [](const StateView& view) { return vertices_copy(view.state().open()); })
        .def_property_readonly("outside", [](const StateView& view) { return vertices_copy(view.state().outside()); })
        .def_property_readonly("edges", [](const StateView& view) { return edges_copy(view.state().tree().edges); })
        .def_property_readonly("instance", &StateView::instance);
}

void bind_tree(py::module_& module) {
    py::class_<TreeView>(
        module, "Tree",
        "A whole tree, as a rule sees it: its edges and their weights, degrees, and its shape seen from a root.")
        .def_property_readonly(
            "edges", [](const py::object& self) { return edges_view(self.cast<const TreeView&>().tree.edges, self); })
        .def_property_readonly("weights", weights_in)
        .def_property_readonly("total_weight",
                               [](const TreeView& view) { return total_weight(view.tree, view.weights); })
        .def_readonly("cost", &TreeView::cost)
        .def_property_readonly("degrees", degrees_in)
        .def_property_readonly("start", [](const TreeView& view) { return view.tree.start; })
        .def_property_readonly("n", [](const TreeView& view) { return view.weights.size(); })
        .def_property_readonly("instance", [](const TreeView& view) { return view.instance; })
        .def("parents", [](const TreeView& view, Vertex root) { return vertices_copy(hung(view, root).parent); })
        .def("depths", [](const TreeView& view, Vertex root) { return vertices_copy(hung(view, root).depth); })
        .def("order", [](const TreeView& view, Vertex root) { return vertices_copy(hung(view, root).order); })
        .def("pruned", pruned_view);
}

}  // namespace

void bind_rules(py::module_& module) {
    bind_state(module);
    bind_tree(module);
}

}  // namespace neuroprim::python
