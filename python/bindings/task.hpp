#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::python {

/// What to solve, and how: an instance, a preset by its name or what the options and the input say, perhaps with
/// rules in Python beside it, and the options of the search.
struct Task {
    std::shared_ptr<const Instance> instance;
    pybind11::object face;   ///< the instance as Python knows it, for rules in Python
    std::string problem;     ///< a name of the registry; empty: what the options and the input say
    pybind11::object rules;  ///< an object with the methods of neuroprim.Problem, or none
    ProblemOptions problem_options;
    SolveOptions options;
    std::vector<std::string> facts;  ///< about vertices, that were given beside the input: each must have a say
};

/// May be called with or without the GIL, from any thread. The task must outlive the problem.
[[nodiscard]] std::unique_ptr<Problem> problem_of(const Task& task);

}  // namespace neuroprim::python
