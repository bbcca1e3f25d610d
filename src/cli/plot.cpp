#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/complaint.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim::cli {

namespace {

struct PlotArguments {
    CommonOptions common;
    InputOptions input;
    ProblemArguments problem;
    std::string path;
    std::string tree;
    std::string output;
    PictureOptions picture;
    bool plain = false;
    double scale = 2;
};

/// A tree from a file with the cost it really has. An invalid one is drawn too: seeing what is wrong helps.
Solution judged(const PlotArguments& arguments, const Instance& instance) {
    const auto problem = arguments.problem.make(instance, arguments.input);
    Solution solution;
    solution.instance = instance.name;
    solution.problem = problem->name();
    solution.n = instance.size();
    solution.tree = read_tree(arguments.tree, instance, arguments.input.max_input);
    const std::vector<Vertex> roots = problem->spec().roots();
    solution.other_roots = problem->spec().other_roots;
    if (roots.size() > 1) solution.tree.start = roots.front();
    if (const auto reason = roots.size() > 1 ? structural_violation(solution.tree, instance.weights, roots)
                                             : structural_violation(solution.tree, instance.weights)) {
        throw InputError(arguments.tree, 0, *reason);
    }
    if (const auto reason = problem->violation(solution.tree)) {
        complain(fmt::format("{}: not valid for {}: {}", arguments.tree, problem->name(), *reason));
    }
    solution.cost = problem->cost(solution.tree);
    solution.method = "read from a file";
    return solution;
}

int plot(const PlotArguments& arguments) {
    check_picture_path(arguments.output);
    const Instance instance = arguments.input.read_one(arguments.path, arguments.common.warnings());
    PictureOptions options = arguments.picture;
    options.caption = options.legend = !arguments.plain;
    const Picture picture = arguments.tree.empty() ? draw_instance(instance, options)
                                                   : draw_tree(instance, judged(arguments, instance), options);
    write_picture(arguments.output, picture, arguments.scale);
    if (arguments.output != "-" && !arguments.common.quiet) fmt::print("{}\n", arguments.output);
    return exit_solved;
}

}  // namespace

Command add_plot(CLI::App& root) {
    auto arguments = std::make_shared<PlotArguments>();
    CLI::App* app = root.add_subcommand("plot", "Draw an instance, or a tree in it");
    app->add_option("input", arguments->path, "The instance")->required()->type_name("INPUT");
    app->add_option("tree", arguments->tree, "A tree to draw: JSON as solve writes it, or CSV edges")
        ->type_name("TREE");
    app->add_option("-o,--output", arguments->output, "Picture: .svg or .png; - is SVG on standard output")
        ->required()
        ->type_name("FILE");
    app->add_option("--width", arguments->picture.width, "Width in pixels")
        ->check(CLI::Range(50, 20000))
        ->capture_default_str();
    app->add_option("--scale", arguments->scale, "Pixels of a PNG per pixel of the drawing")
        ->check(is_number(0.1, 10))
        ->capture_default_str();
    app->add_flag("--plain", arguments->plain, "No caption, no legend");
    arguments->problem.add_to(*app);
    arguments->input.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim plot points.csv -o points.svg\n"
        "  neuroprim plot points.csv tree.json --problem mrcst -o tree.png --width 1200");
    return {app, [arguments] { return plot(*arguments); }};
}

}  // namespace neuroprim::cli
