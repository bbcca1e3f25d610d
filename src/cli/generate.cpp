#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"

namespace neuroprim::cli {

namespace {

struct GenerateArguments {
    CommonOptions common;
    GenerateOptions options;
    std::string shape = "uniform";
    std::string metric = "euclidean";
    std::string output = "-";
    std::string format;
    int count = 1;
};

/// An output without an ending is JSON where --json or standard output leaves no doubt.
std::string format_for(const GenerateArguments& arguments) {
    const bool json = arguments.common.json || arguments.output == "-";
    return json && arguments.format.empty() ? "json" : arguments.format;
}

int generate_all(const GenerateArguments& arguments) {
    const std::string format = format_for(arguments);
    check_output(arguments.output, arguments.count > 1,
                 [&](const std::string& path) { check_instance_path(path, format); });
    GenerateOptions options = arguments.options;
    options.shape = *shape_from_string(arguments.shape);
    for (int k = 0; k < arguments.count; ++k) {
        options.seed = arguments.common.seed + static_cast<std::uint64_t>(k);
        Instance instance = generate(options);
        if (arguments.metric != "euclidean") {
            instance.weights = instance.weights.with_metric(*metric_from_string(arguments.metric));
        }
        const std::string path = output_path(arguments.output, instance, arguments.count > 1);
        write_instance(path, instance, format);
        if (path != "-" && !arguments.common.quiet) fmt::print("{}: {} vertices\n", path, instance.size());
    }
    return exit_solved;
}

}  // namespace

Command add_generate(CLI::App& root) {
    auto arguments = std::make_shared<GenerateArguments>();
    GenerateOptions& options = arguments->options;
    CLI::App* app = root.add_subcommand("generate", "Make random instances");
    app->add_option("-n,--n", options.n, "Vertices")->check(CLI::Range(1, 100'000'000))->capture_default_str();
    app->add_option("--shape", arguments->shape, "uniform, clustered or grid points; a matrix; a sparse graph")
        ->check(CLI::IsMember({"uniform", "clustered", "grid", "matrix", "sparse"}))
        ->capture_default_str();
    app->add_option("--terminals", options.terminals, "Mark this many random terminals")
        ->check(CLI::NonNegativeNumber);
    app->add_option("--scale", options.scale, "The largest coordinate or weight")->capture_default_str();
    app->add_flag("--integers", options.integers, "Integer coordinates and weights");
    app->add_option("--average-degree", options.average_degree, "Edges per vertex of a sparse graph, times two")
        ->capture_default_str();
    app->add_flag("--requirements", options.requirements, "Random traffic between every pair, for ocst");
    app->add_option("--metric", arguments->metric, "Metric of the points")->capture_default_str();
    app->add_option("--count", arguments->count, "How many instances; seeds count up")
        ->check(CLI::Range(1, 1'000'000));
    app->add_option("-o,--output", arguments->output,
                    "File, by ending .json .csv .tsp .stp; {name} stands for the instance")
        ->type_name("FILE");
    app->add_option("--to", arguments->format, "Output format; overrides the ending");
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim generate --n 50 --terminals 10 --seed 1 -o steiner.json\n"
        "  neuroprim generate --n 100 --count 20 -o 'random/{name}.csv'\n"
        "  neuroprim generate --n 30 --shape sparse --to stp --terminals 5");
    return {app, [arguments] { return generate_all(*arguments); }};
}

}  // namespace neuroprim::cli
