#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/training_curves.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim::cli {

namespace {

struct CurvesArguments {
    std::vector<std::string> runs;
    std::string output;
    std::string x = "trajectories";
    double width = 800;
};

int curves(const CurvesArguments& arguments) {
    check_picture_path(arguments.output);
    std::vector<TrainingRun> runs;
    for (const std::string& run : arguments.runs) runs.push_back(read_training_run(run));
    const Picture picture = draw_training_curves(runs, arguments.x, arguments.width);
    write_picture(arguments.output, picture);
    if (arguments.output != "-") fmt::print("{}\n", arguments.output);
    return exit_solved;
}

}  // namespace

Command add_curves(CLI::App& root) {
    auto arguments = std::make_shared<CurvesArguments>();
    CLI::App* app = root.add_subcommand("curves", "Draw the learning curves of training runs");
    app->add_option("runs", arguments->runs, "Folders of runs, or their metrics.jsonl")->required()->type_name("RUN");
    app->add_option("-o,--output", arguments->output, "Picture: .svg or .png; - is SVG on standard output")
        ->required()
        ->type_name("FILE");
    app->add_option("--x", arguments->x, "The horizontal axis: trajectories, step, seconds")
        ->check(CLI::IsMember({"trajectories", "step", "seconds"}))
        ->capture_default_str();
    app->add_option("--width", arguments->width, "Width in pixels")
        ->check(CLI::Range(200, 20000))
        ->capture_default_str();
    app->footer(
        "Examples:\n"
        "  neuroprim curves runs/dcmst -o curves.svg\n"
        "  neuroprim curves runs/a runs/b --x seconds -o compare.png");
    return {app, [arguments] { return curves(*arguments); }};
}

}  // namespace neuroprim::cli
