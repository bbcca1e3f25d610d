#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::python {

/// Doubles in rows without gaps. Anything else is refused, never converted: copies are made in Python, knowingly.
using Doubles = pybind11::array_t<double, pybind11::array::c_style>;
using Vertices = pybind11::array_t<Vertex, pybind11::array::c_style | pybind11::array::forcecast>;

/// Owns a Python object for C++ code that may let go of it on any thread.
[[nodiscard]] std::shared_ptr<const void> keeper_of(pybind11::object object);

/// The numbers where they are. The array must outlive the span.
template <class Number, int flags>
[[nodiscard]] std::span<const Number> numbers(const pybind11::array_t<Number, flags>& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}

/// (m, 2) of int32 that cannot be written to, where the edges are; `owner` keeps them alive.
[[nodiscard]] pybind11::array edges_view(std::span<const Edge> edges, pybind11::handle owner);

/// The same as a copy.
[[nodiscard]] pybind11::array edges_copy(std::span<const Edge> edges);

[[nodiscard]] pybind11::array vertices_copy(std::span<const Vertex> vertices);

/// An (m, 2) array as edges. Throws InputError on another shape.
[[nodiscard]] std::vector<Edge> edges_from(const Vertices& array);

}  // namespace neuroprim::python
