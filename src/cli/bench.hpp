#pragma once

#include "cli/command.hpp"

namespace neuroprim::cli {

// The experiments of `neuroprim bench`, a file each.
Command add_bench_paper(CLI::App& bench);
Command add_bench_generalize(CLI::App& bench);
Command add_bench_sensitivity(CLI::App& bench);

}  // namespace neuroprim::cli
