#include <cstdint>
#include <limits>
#include <map>
#include <memory>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/numbers.hpp"
#include "cli/solve_arguments.hpp"
#include "cli/solve_run.hpp"
#include "cli/useless_options.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim::cli {

namespace {

constexpr auto most_iterations = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
/// All starts of a run are listed in memory.
constexpr std::uint64_t most_trees = 10'000'000;

void add_search_options(CLI::App& app, SolveArguments& arguments) {
    app.add_option("--time-limit", arguments.time_limit,
                   "stop after so many seconds; search: the usual limit of one second applies unless "
                   "--max-iterations or --no-improvement is given")
        ->check(is_positive(most_seconds))
        ->type_name("SECONDS");
    app.add_option("--target-gap", arguments.target_gap,
                   "search: stop when so close to the proven bound; the usual limit of one second applies unless "
                   "another rule is given")
        ->check(is_number(0, 1e9))
        ->type_name("PERCENT");
    app.add_option("--max-iterations", arguments.max_iterations,
                   "search: stop after so many perturbations; the answer then depends on the seed alone")
        ->check(is_whole(0, most_iterations));
    app.add_option("--no-improvement", arguments.no_improvement,
                   "search: stop after so many perturbations in a row without a better tree")
        ->check(is_whole(1, most_iterations));
    app.add_option("--warm-start", arguments.warm_start, "search: go on from the tree of this file")
        ->type_name("TREE");
    // Once these were called beginnings, and the policy's neural ones: scripts may still say so.
    const std::map<std::string, Initial> initial = {{"best", Initial::best},
                                                    {"classical", Initial::classical},
                                                    {"policy", Initial::policy},
                                                    {"neural", Initial::policy},
                                                    {"both", Initial::both}};
    app.add_option("--initial,--beginnings", arguments.initial,
                   "search: where its initial solutions come from; best takes what helps the problem")
        ->transform(CLI::CheckedTransformer(initial).description(""))
        ->type_name("best|classical|policy|both");
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
    app->add_option("-m,--method", arguments->method, "How to find the tree; search unless given")
        ->check(CLI::IsMember(names_of(solve_methods())));
    app->add_option("--start", arguments->start, "Grow the tree from this vertex");
    app->add_option(
           "--model", arguments->model,
           "greedy, beam, sample, search: weights of the policy; the pretrained ones for the problem unless given")
        ->type_name("FILE");
    app->add_option("--starts", arguments->starts,
                    "greedy, beam: from so many starts, spread evenly; 0 takes all of them")
        ->check(is_whole(0, most_trees));
    app->add_option("--beam", arguments->beam, "beam: how many partial trees are kept, and edges tried from each")
        ->check(CLI::Range(1, 64));
    app->add_option("--samples", arguments->samples, "sample: how many trees; 0 takes twenty per start")
        ->check(is_whole(0, most_trees));
    app->add_option(
           "--augment", arguments->augment,
           "greedy, beam, sample: look from so many sides: the eight symmetries of the square, then turned by "
           "3, 6, … degrees")
        ->check(CLI::Range(1, most_augmentations));
    app->add_option("--spread", arguments->spread,
                    "with --augment: each start or sample from so many of the sides only, in turn; 0: from all")
        ->check(CLI::Range(0, most_augmentations));
    app->add_option("--rounds", arguments->rounds,
                    "with --augment: take the starts or samples in so many parts; after each the best quarter of the "
                    "sides goes on")
        ->check(CLI::Range(1, most_augmentations));
    app->add_option("--temperature", arguments->temperature, "sample: below one sharper, above one flatter")
        ->check(is_positive());
    arguments->max_memory.add_to(*app);
    add_search_options(*app, *arguments);
    app->add_option("-o,--output", arguments->outputs,
                    "Write the tree, by ending: .json .csv .geojson .dot .svg .png; may be repeated; "
                    "{name} stands for the instance")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments->input.add_to(*app);
    add_many_options(*app, *arguments);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim solve points.csv --problem dcmst --degree 3 --time-limit 5 -o tree.svg -o tree.json\n"
        "  neuroprim solve graph.stp --problem stp --method kruskal --json\n"
        "  neuroprim solve data/*.tsp --problem mst -o 'out/{name}.png'\n"
        "  neuroprim solve data/ --problem stp --jobs 4 --results results.jsonl");
    return {app, [app, arguments] {
                refuse_useless_options(*app, *arguments);
                catch_interrupts();
                return SolveRun(*arguments).run();
            }};
}

}  // namespace neuroprim::cli
