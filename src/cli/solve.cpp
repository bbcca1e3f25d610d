#include <map>
#include <memory>

#include "cli/command.hpp"
#include "cli/deciding_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/parameter_flags.hpp"
#include "cli/solve_arguments.hpp"
#include "cli/solve_run.hpp"
#include "cli/useless_options.hpp"

namespace neuroprim::cli {

namespace {

void add_search_options(CLI::App& app, SolveArguments& arguments) {
    add_parameter(app, "time_limit", arguments.time_limit);
    add_parameter(app, "target_gap", arguments.target_gap);
    add_parameter(app, "max_iterations", arguments.max_iterations);
    add_parameter(app, "no_improvement", arguments.no_improvement);
    add_parameter(app, "warm_start", arguments.warm_start);
    // Once the policy's were called neural: scripts may still say so.
    const std::map<std::string, Initial> initial = {{"best", Initial::best},
                                                    {"classical", Initial::classical},
                                                    {"policy", Initial::policy},
                                                    {"neural", Initial::policy},
                                                    {"both", Initial::both}};
    dressed(app.add_option("--initial", arguments.initial), parameter("initial"))
        ->transform(CLI::CheckedTransformer(initial).description(""));
    app.add_option("--log", arguments.log, "search: write every better tree or bound to this CSV file")
        ->type_name("FILE");
}

void add_many_options(CLI::App& app, SolveArguments& arguments) {
    app.add_option("--jobs", arguments.jobs, "Solve so many instances at a time, which share the threads")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str()
        ->group("Many instances");
    app.add_option("--results", arguments.results,
                   "Add a JSON line for every solved instance to this file, and skip those that it already has")
        ->type_name("FILE")
        ->group("Many instances");
    app.add_option(
           "--shard", arguments.shard,
           "Solve only the K-th of N parts of the inputs; auto: the part of this Slurm, MPI or torchrun process")
        ->type_name("K/N|auto")
        ->group("Many instances");
}

}  // namespace

Command add_solve(CLI::App& root) {
    auto arguments = std::make_shared<SolveArguments>();
    CLI::App* app = root.add_subcommand("solve", "Find a good tree");
    app->add_option("input", arguments->inputs,
                    "Instances; a folder is all its files, - standard input, file.txt#3 the third of a file, "
                    "file.txt#NAME the one of that name")
        ->required()
        ->type_name("INPUT");
    arguments->problem.add_to(*app);
    add_parameter(*app, "method", arguments->method);
    add_parameter(*app, "start", arguments->start);
    add_parameter(*app, "model", arguments->model);
    add_parameter(*app, "starts", arguments->starts);
    add_parameter(*app, "beam", arguments->beam);
    add_parameter(*app, "samples", arguments->samples);
    add_parameter(*app, "augmentations", arguments->augmentations);
    add_parameter(*app, "augmentations_per_start", arguments->augmentations_per_start);
    add_parameter(*app, "rounds", arguments->rounds);
    add_parameter(*app, "temperature", arguments->temperature);
    arguments->max_memory.add_to(*app);
    add_search_options(*app, *arguments);
    app->add_option(
           "-o,--output", arguments->outputs,
           "Write the tree, by ending: .json .csv .geojson .dot .svg .png .graphml .node-link.json .mtx .metis; "
           "may be repeated; {name} stands for the instance")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments->input.add_to(*app);
    add_many_options(*app, *arguments);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim solve points.csv --problem dcmst --degree 3 --time-limit 5 -o tree.svg -o tree.json\n"
        "  neuroprim solve towns.csv --degree 3 --hops 4 --capacity 12 --root depot -o tree.svg\n"
        "  neuroprim solve graph.stp --problem stp --method kruskal --json\n"
        "  neuroprim solve data/*.tsp --problem mst -o 'out/{name}.png'\n"
        "  neuroprim solve data/ --problem stp --jobs 4 --results results.jsonl");
    return {app, [app, arguments] {
                refuse_useless_options(*app, *arguments);
                arguments->deciding = deciding_options(*app);
                catch_interrupts();
                return SolveRun(*arguments).run();
            }};
}

}  // namespace neuroprim::cli
