#pragma once

#include <CLI/CLI.hpp>

#include "cli/solve_arguments.hpp"

namespace neuroprim::cli {

/// Throws InputError when `solve` was given an option that its method does not read, or two that contradict each
/// other: to leave them out silently would let people believe in an answer to another question.
void refuse_useless_options(const CLI::App& solve, const SolveArguments& arguments);

}  // namespace neuroprim::cli
