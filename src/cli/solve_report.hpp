#pragma once

#include <string>
#include <vector>

#include "neuroprim/solve.hpp"

namespace neuroprim::cli {

/// A solution as one line for people.
[[nodiscard]] std::string one_line(const Solution& solution);

/// For a search that its time limit ended before the gap that was asked for: says so. Otherwise empty.
[[nodiscard]] std::string missed_target(const SolveOptions& options, const Solution& solution);

/// The columns of the table that several solutions are shown in, and a row of it.
[[nodiscard]] std::vector<std::string> solution_columns();
[[nodiscard]] std::vector<std::string> solution_row(const Solution& solution);

}  // namespace neuroprim::cli
