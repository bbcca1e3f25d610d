#pragma once

#include <pybind11/pybind11.h>

#include "neuroprim/explanation.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::python {

// Objects as tuples of plain things and back, for pickle: to other processes, to disk, into deep copies.
[[nodiscard]] pybind11::tuple state_of(const Instance& instance);
[[nodiscard]] Instance instance_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const Solution& solution);
[[nodiscard]] Solution solution_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const CostStatistics& statistics);
[[nodiscard]] CostStatistics statistics_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const ExplainedStep& step);
[[nodiscard]] ExplainedStep step_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const Explanation& explanation);
[[nodiscard]] Explanation explanation_from(const pybind11::tuple& state);

}  // namespace neuroprim::python
