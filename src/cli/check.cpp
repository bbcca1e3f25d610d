#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::cli {

namespace {

struct CheckArguments {
    CommonOptions common;
    InputOptions input;
    ProblemArguments problem;
    std::string instance;
    std::string tree;
};

int check(const CheckArguments& arguments) {
    const Instance instance = arguments.input.read_one(arguments.instance, arguments.common.warnings());
    const auto problem = arguments.problem.make(instance, arguments.input);
    const Tree tree = read_tree(arguments.tree, instance, arguments.input.max_input);
    const auto violation = problem->violation(tree);
    if (arguments.common.json) {
        nlohmann::ordered_json report = {
            {"instance", instance.name}, {"problem", problem->name()}, {"n", instance.size()}, {"valid", !violation}};
        report["cost"] = violation ? nlohmann::ordered_json() : nlohmann::ordered_json(problem->cost(tree));
        report["violation"] = violation ? nlohmann::ordered_json(*violation) : nlohmann::ordered_json();
        fmt::print("{}\n", report.dump(2));
    } else if (!arguments.common.quiet) {
        fmt::print("{}\n", violation
                               ? fmt::format("invalid: {}", *violation)
                               : fmt::format("valid: {} cost {}", problem->name(), readable(problem->cost(tree))));
    }
    return violation ? exit_infeasible : exit_solved;
}

}  // namespace

Command add_check(CLI::App& root) {
    auto arguments = std::make_shared<CheckArguments>();
    CLI::App* app = root.add_subcommand("check", "Recompute the cost of a tree and say whether it is valid");
    app->add_option("input", arguments->instance, "The instance")->required()->type_name("INPUT");
    app->add_option("tree", arguments->tree, "The tree: JSON as solve writes it, or CSV edges")
        ->required()
        ->type_name("TREE");
    arguments->problem.add_to(*app);
    arguments->input.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Prints `valid` with the cost (exit code 0), or `invalid` with the first violation (exit code 1).\n\n"
        "Examples:\n"
        "  neuroprim check points.csv tree.json --problem dcmst --degree 3\n"
        "  neuroprim check graph.stp tree.json --problem stp --json");
    return {app, [arguments] { return check(*arguments); }};
}

}  // namespace neuroprim::cli
