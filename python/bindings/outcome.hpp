#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <optional>

#include "neuroprim/solve.hpp"

namespace neuroprim::python {

/// How one task ended; neither solution nor failure when it was never begun.
struct Outcome {
    std::optional<Solution> solution;
    std::exception_ptr failure;
    bool cut_short = false;  ///< somebody asked to stop before the task's own rules did
};

/// (solution or None, exception or None, cut_short)
[[nodiscard]] pybind11::tuple to_python(const Outcome& outcome);

}  // namespace neuroprim::python
