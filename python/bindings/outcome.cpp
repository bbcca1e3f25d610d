#include "outcome.hpp"

#include <pybind11/stl.h>

#include <new>

#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

/// The exception as an object, not raised.
py::object exception_object(const std::exception_ptr& failure) {
    if (!failure) return py::none();
    const auto made = [](const py::object& type, const char* message) { return type(message); };
    const auto builtin = [](PyObject* type) { return py::reinterpret_borrow<py::object>(type); };
    try {
        std::rethrow_exception(failure);
    } catch (const py::error_already_set& error) {
        return error.value();
    } catch (const Infeasible& error) {
        return made(py::module_::import("neuroprim._core").attr("Infeasible"), error.what());
    } catch (const Interrupted& error) {
        return made(builtin(PyExc_TimeoutError), error.what());  // Ctrl-C is told otherwise
    } catch (const InputError& error) {
        return made(builtin(PyExc_ValueError), respelled(error.what(), Spelling::keyword).c_str());
    } catch (const std::bad_alloc& error) {
        return made(builtin(PyExc_MemoryError), error.what());
    } catch (const py::builtin_exception& error) {
        error.set_error();
        return py::error_already_set().value();
    } catch (const std::exception& error) {
        return made(builtin(PyExc_RuntimeError), error.what());
    }
}

}  // namespace

py::tuple to_python(const Outcome& outcome) {
    py::object solution = outcome.solution ? py::cast(*outcome.solution) : py::none();
    return py::make_tuple(std::move(solution), exception_object(outcome.failure), outcome.cut_short);
}

}  // namespace neuroprim::python
