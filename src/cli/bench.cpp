#include "cli/bench.hpp"

namespace neuroprim::cli {

Command add_bench(CLI::App& root) {
    CLI::App* app = root.add_subcommand("bench", "Repeat the paper's experiments");
    app->require_subcommand(1);
    const std::vector<Command> experiments = {add_bench_paper(*app), add_bench_generalize(*app),
                                              add_bench_sensitivity(*app)};
    app->footer(
        "Example:\n"
        "  neuroprim bench paper --data benchmarks --csv paper.csv\n"
        "\n"
        "Each experiment has its own --help.");
    return {app, [experiments] {
                for (const auto& experiment : experiments) {
                    if (experiment.app->parsed()) return experiment.run();
                }
                return exit_bad_input;
            }};
}

}  // namespace neuroprim::cli
