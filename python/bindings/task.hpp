#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "neuroprim/problem.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim::python {

/// What to solve, and how: an instance, a problem by its name or as rules in Python, and the options of both.
struct Task {
    std::shared_ptr<const Instance> instance;
    pybind11::object face;   ///< the instance as Python knows it, for rules in Python
    std::string problem;     ///< a name of the registry; empty: `rules` are the problem
    pybind11::object rules;  ///< an object with the methods of neuroprim.Problem
    ProblemOptions problem_options;
    SolveOptions options;
};

/// May be called with or without the GIL, from any thread. The task must outlive the problem.
[[nodiscard]] std::unique_ptr<Problem> problem_of(const Task& task);

}  // namespace neuroprim::python
