#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/complaint.hpp"
#include "cli/options.hpp"
#include "cli/parameter_flags.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/explanation_files.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim::cli {

namespace {

struct ExplainArguments {
    CommonOptions common;
    InputOptions input;
    ProblemArguments problem;
    std::string path;
    std::string model;
    std::string start;
    std::vector<std::string> outputs;
    std::size_t alternatives = 5;
    double temperature = 1;
    MemoryOption max_memory;
    bool sample = false;
    bool strip = false;
};

/// The start whose greedy tree is the cheapest, unless the user names one.
Vertex chosen_start(const ExplainArguments& arguments, const Policy& policy, const Problem& problem) {
    if (!arguments.start.empty()) return vertex_named(problem.instance(), arguments.start);
    NeuralOptions options;
    options.threads = arguments.common.thread_count();
    options.max_memory = arguments.max_memory.most;
    return best_start(policy, problem, options);
}

int explain_one(const ExplainArguments& arguments) {
    for (const auto& path : arguments.outputs) check_explanation_path(path);
    const Instance instance = arguments.input.read_one(arguments.path, arguments.common.warnings());
    const auto problem = arguments.problem.make(instance, arguments.input);
    const Policy policy = load_policy(*problem, arguments.model);
    if (const auto odd = mismatch(policy, *problem); odd && !arguments.common.quiet) {
        fmt::print(stderr, "neuroprim: {}: {}\n", instance.name, *odd);
    }
    ExplainOptions options;
    options.start = chosen_start(arguments, policy, *problem);
    options.mode = arguments.sample ? DecodeMode::sample : DecodeMode::greedy;
    options.temperature = arguments.temperature;
    options.seed = arguments.common.seed;
    options.alternatives = arguments.alternatives;
    const Encoded encoded(policy, *problem,
                          {.threads = arguments.common.thread_count(), .max_memory = arguments.max_memory.most});
    const Explanation explanation = explain(encoded, *problem, options);

    int exit_code = explanation.complete ? exit_solved : exit_infeasible;
    for (const auto& path : arguments.outputs) {
        try {
            write_explanation(path, instance, explanation, arguments.strip);
        } catch (const InputError& error) {  // the others, and what is printed, are not lost with it
            complain(error.what());
            exit_code = exit_bad_input;
        }
    }
    if (arguments.common.json) {
        fmt::print("{}\n", explanation_to_json(instance, explanation));
    } else if (!arguments.common.quiet) {
        for (std::size_t k = 0; k < explanation.steps.size(); ++k) {
            const auto& step = explanation.steps[k];
            fmt::print("{:>4}  {} - {}  p = {:.3f}  entropy {:.3f}  of {} open edges\n", k + 1,
                       instance.label(step.chosen.u), instance.label(step.chosen.v), step.probability, step.entropy,
                       step.open_edges);
        }
        fmt::print("{}\n", explanation.complete ? fmt::format("cost {}", readable(explanation.cost)) : "dead end");
    }
    return exit_code;
}

}  // namespace

Command add_explain(CLI::App& root) {
    auto arguments = std::make_shared<ExplainArguments>();
    CLI::App* app = root.add_subcommand("explain", "Show how the policy builds a tree, decision by decision");
    app->add_option("input", arguments->path, "The instance")->required()->type_name("INPUT");
    arguments->problem.add_to(*app);
    add_parameter(*app, "model", arguments->model)->description(std::string(parameter("model").help));
    add_parameter(*app, "start", arguments->start);
    app->add_option("-k,--alternatives", arguments->alternatives, "How many probable edges to keep at each step")
        ->capture_default_str();
    app->add_flag("--sample", arguments->sample, "Draw the edges instead of taking the most probable");
    add_parameter(*app, "temperature", arguments->temperature)
        ->description("With --sample: below one sharper, above one flatter");
    arguments->max_memory.add_to(*app);
    app->add_option(
           "-o,--output", arguments->outputs,
           "Write the steps: .json, .svg (a moving picture, or the strip), .png (the strip); may be repeated")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app->add_flag("--strip", arguments->strip, "An SVG of a strip of pictures instead of a moving one");
    arguments->input.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim explain points.csv --problem dcmst --degree 2 -o steps.json -o steps.svg\n"
        "  neuroprim explain points.csv --problem mrcst --model mine.safetensors --strip -o strip.png");
    return {app, [arguments] { return explain_one(*arguments); }};
}

}  // namespace neuroprim::cli
