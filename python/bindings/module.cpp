#include <pybind11/pybind11.h>

#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"
#include "parts.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
    module.doc() = "The compiled part of neuroprim; neuroprim itself is the interface.";
    module.attr("version") = NEUROPRIM_VERSION;
    py::register_exception<neuroprim::Infeasible>(module, "Infeasible", PyExc_RuntimeError).doc() =
        "There is no feasible tree, or none was found; the message says why.";
    // Last registered, first asked: whatever is wrong with the input is a ValueError.
    py::register_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const neuroprim::InputError& wrong) {
            using neuroprim::respelled;
            PyErr_SetString(PyExc_ValueError, respelled(wrong.what(), neuroprim::Spelling::keyword).c_str());
        }
    });
    neuroprim::python::bind_registry(module);
    neuroprim::python::bind_instance(module);
    neuroprim::python::bind_rules(module);
    neuroprim::python::bind_solution(module);
    neuroprim::python::bind_solve(module);
    neuroprim::python::bind_policy(module);
}
