#pragma once

#include <pybind11/pybind11.h>

namespace neuroprim::python {

// What each file of this folder adds to the module.
void bind_registry(pybind11::module_& module);
void bind_instance(pybind11::module_& module);
void bind_rules(pybind11::module_& module);
void bind_solution(pybind11::module_& module);
void bind_solve(pybind11::module_& module);
void bind_policy(pybind11::module_& module);

}  // namespace neuroprim::python
