#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::cli {

namespace {

struct ConvertArguments {
    CommonOptions common;
    InputOptions input;
    std::string path;
    std::string output;
    std::string format;
};

int convert(const ConvertArguments& arguments) {
    const bool json = arguments.format.empty() && (arguments.output == "-" || arguments.common.json);
    const std::string format = json ? "json" : arguments.format;
    check_output(arguments.output, false, [&](const std::string& path) { check_instance_path(path, format); });
    const std::vector<Instance> instances = arguments.input.read(arguments.path, arguments.common.warnings());
    for (const auto& instance : instances) {
        const std::string path = output_path(arguments.output, instance, instances.size() > 1);
        write_instance(path, instance, format);
        if (path != "-" && !arguments.common.quiet) fmt::print("{}: {} vertices\n", path, instance.size());
    }
    return exit_solved;
}

}  // namespace

Command add_convert(CLI::App& root) {
    auto arguments = std::make_shared<ConvertArguments>();
    CLI::App* app = root.add_subcommand("convert", "Rewrite an instance in another format");
    app->add_option("input", arguments->path, "The instance, or a file of several")->required()->type_name("INPUT");
    app->add_option("-o,--output", arguments->output,
                    "File, by ending .json .csv .tsp .stp .geojson .graphml .node-link.json .mtx .metis; - is "
                    "standard output; "
                    "{name} stands for the instance")
        ->required()
        ->type_name("FILE");
    app->add_option("--to", arguments->format, "Output format; overrides the ending");
    arguments->input.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim convert berlin52.tsp -o berlin52.json\n"
        "  neuroprim convert estein50.txt -o 'points/{name}.csv'\n"
        "  neuroprim convert points.csv --metric euc_2d -o points.tsp");
    return {app, [arguments] { return convert(*arguments); }};
}

}  // namespace neuroprim::cli
