#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <optional>
#include <vector>

#include "neuroprim/solve.hpp"

namespace neuroprim::python {

/// How one task ended; neither solution nor failure when it was never begun.
struct Outcome {
    std::optional<Solution> solution;
    std::exception_ptr failure;
    bool cut_short = false;                 ///< somebody asked to stop before the task's own rules did
    std::vector<SearchState> history = {};  ///< every better tree or bound, in their order
    std::vector<Cable> cables = {};         ///< of the specification, by rising capacity
};

/// Solves, and puts down the solution, how it came about and what its edges may be made of. `options` may have a
/// watcher of their own.
void solve_into(Outcome& outcome, const Problem& problem, SolveOptions options);

/// (solution or None, exception or None, cut_short, history, cables). Rows of the history are seconds, iterations,
/// cost and bound, the last one when the solution was handed over; rows of the cables capacity and price.
[[nodiscard]] pybind11::tuple to_python(const Outcome& outcome);

}  // namespace neuroprim::python
