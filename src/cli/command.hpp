#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace neuroprim::cli {

inline constexpr int exit_solved = 0;
inline constexpr int exit_infeasible = 1;  ///< no feasible tree, or the checked tree is not valid
inline constexpr int exit_bad_input = 2;   ///< wrong use, bad input, or output that cannot be written

/// A sub-command: its options live in the closure of `run`, which returns the exit code.
struct Command {
    CLI::App* app = nullptr;
    std::function<int()> run;
};

// One line per sub-command: the function that its file defines.
Command add_solve(CLI::App& root);
Command add_explain(CLI::App& root);
Command add_check(CLI::App& root);
Command add_generate(CLI::App& root);
Command add_convert(CLI::App& root);
Command add_plot(CLI::App& root);
Command add_info(CLI::App& root);
Command add_problems(CLI::App& root);
Command add_serve(CLI::App& root);
Command add_train(CLI::App& root);
Command add_export(CLI::App& root);
Command add_decode(CLI::App& root);
Command add_model(CLI::App& root);
Command add_curves(CLI::App& root);
Command add_bench(CLI::App& root);
Command add_completion(CLI::App& root);
Command add_manpage(CLI::App& root);

}  // namespace neuroprim::cli
