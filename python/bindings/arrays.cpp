#include "arrays.hpp"

#include <cstddef>

#include "neuroprim/error.hpp"

namespace neuroprim::python {

namespace py = pybind11;

static_assert(sizeof(Edge) == 2 * sizeof(Vertex) && offsetof(Edge, v) == sizeof(Vertex));

std::shared_ptr<const void> keeper_of(py::object object) {
    return {object.release().ptr(), [](const void* kept) {
                const py::gil_scoped_acquire gil;
                py::handle(static_cast<PyObject*>(const_cast<void*>(kept))).dec_ref();
            }};
}

py::array edges_view(std::span<const Edge> edges, py::handle owner) {
    const auto rows = static_cast<py::ssize_t>(edges.size());
    const auto* first = reinterpret_cast<const Vertex*>(edges.data());
    py::array_t<Vertex> view({rows, py::ssize_t{2}}, first, owner);
    view.attr("setflags")(py::arg("write") = false);
    return view;
}

py::array edges_copy(std::span<const Edge> edges) {
    py::array_t<Vertex> copy({static_cast<py::ssize_t>(edges.size()), py::ssize_t{2}});
    auto cells = copy.mutable_unchecked<2>();
    py::ssize_t row = 0;
    for (const auto& [u, v] : edges) {
        cells(row, 0) = u;
        cells(row, 1) = v;
        ++row;
    }
    return copy;
}

py::array vertices_copy(std::span<const Vertex> vertices) {
    return py::array_t<Vertex>(static_cast<py::ssize_t>(vertices.size()), vertices.data());
}

std::vector<Edge> edges_from(const Vertices& array) {
    if (array.ndim() != 2 || array.shape(1) != 2) throw InputError("expected edges as an array of shape (m, 2)");
    std::vector<Edge> edges;
    const auto cells = array.unchecked<2>();
    for (py::ssize_t row = 0; row < cells.shape(0); ++row) edges.push_back({cells(row, 0), cells(row, 1)});
    return edges;
}

}  // namespace neuroprim::python
