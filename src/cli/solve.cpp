#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/search_watcher.hpp"
#include "cli/table.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim::cli {

namespace {

struct SolveArguments {
    CommonOptions common;
    InputOptions input;
    ProblemArguments problem;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string method;
    std::string start;
    std::string model;
    std::size_t starts = 0;
    std::size_t samples = 0;
    int augment = 1;
    double temperature = 1;
    std::optional<double> time_limit;
    std::optional<double> target_gap;
    std::optional<std::int64_t> max_iterations;
    std::optional<std::int64_t> no_improvement;
    std::string warm_start;
    Beginnings beginnings = Beginnings::best;
    std::string log;
};

std::string gap_text(const Solution& solution) {
    const auto gap = solution.gap_percent();
    return gap ? fmt::format("{:.2f} %", *gap) : "";
}

std::string one_line(const Solution& solution) {
    std::string text = fmt::format("{}: {}, n = {}, cost {}", solution.instance, solution.problem, solution.n,
                                   readable(solution.cost));
    if (solution.bound) text += fmt::format(", bound {}", readable(*solution.bound));
    if (solution.gap_percent()) text += fmt::format(", gap {}", gap_text(solution));
    const std::string& how = solution.found_by.empty() ? solution.method : solution.found_by;
    text += fmt::format(", {}, {:.3f} s", how, solution.seconds);
    if (const auto& all = solution.statistics) {
        text += fmt::format(" (mean of {} trees {} ± {:.2g})", all->trees, readable(all->mean), all->deviation);
    }
    return text;
}

/// Errors of the problem and the method do not know which instance they met.
template <class Work>
auto with_name(const Instance& instance, Work&& work) {
    try {
        return work();
    } catch (const Infeasible& error) {
        throw Infeasible(fmt::format("{}: {}", instance.name, error.what()));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", instance.name, error.what()));
    }
}

/// Solves instance after instance and collects what to print; one bad input does not stop the others.
class SolveRun {
public:
    explicit SolveRun(const SolveArguments& arguments)
        : arguments_(arguments),
          several_(arguments.inputs.size() > 1),
          table_({"instance", "problem", "n", "cost", "bound", "gap", "method", "seconds"}),
          progress_(arguments.inputs.size(), arguments.common.quiet) {}

    int run() {
        for (const auto& path : arguments_.inputs) {
            progress_.next(path);
            attempt([&] { read_and_solve(path); });
            if (interrupted()) break;
        }
        progress_.clear();
        if (several_ && solved_ > 0 && !arguments_.common.json && !arguments_.common.quiet) {
            fmt::print("{}", table_.text());
        }
        return exit_code_;
    }

private:
    void read_and_solve(const std::string& path) {
        const std::vector<Instance> instances = arguments_.input.read(path);
        several_ = several_ || instances.size() > 1;
        for (const auto& instance : instances) attempt([&] { solve_one(instance); });
    }

    void solve_one(const Instance& instance) {
        std::vector<std::string> paths;
        for (const auto& pattern : arguments_.outputs) paths.push_back(output_path(pattern, instance, several_));
        const auto problem = with_name(instance, [&] { return arguments_.problem.make(instance); });
        SolveOptions options = solve_options(instance);
        const std::string log = arguments_.log.empty() ? "" : output_path(arguments_.log, instance, several_);
        SearchWatcher watcher(instance.name, log, !several_ && !arguments_.common.quiet);
        options.watcher = std::ref(watcher);
        const Solution solution = with_name(instance, [&] { return solve(*problem, options); });
        watcher.finish(solution);
        for (const auto& path : paths) write_solution(path, instance, solution);
        report(instance, solution);
        ++solved_;
    }

    SolveOptions solve_options(const Instance& instance) const {
        SolveOptions options{arguments_.method, no_vertex, arguments_.common.seed, arguments_.common.thread_count()};
        if (!arguments_.start.empty()) options.start = vertex_named(instance, arguments_.start);
        options.model = arguments_.model;
        options.starts = arguments_.starts;
        options.samples = arguments_.samples;
        options.augment = arguments_.augment;
        options.temperature = arguments_.temperature;
        options.time_limit = arguments_.time_limit;
        options.target_gap = arguments_.target_gap;
        options.max_iterations = arguments_.max_iterations;
        options.no_improvement = arguments_.no_improvement;
        options.beginnings = arguments_.beginnings;
        if (!arguments_.warm_start.empty()) options.warm_start = read_tree(arguments_.warm_start, instance);
        options.interrupted = interrupted;
        return options;
    }

    template <class Work>
    void attempt(Work&& work) {
        try {
            work();
        } catch (const Infeasible& error) {
            complain(exit_infeasible, error.what());
        } catch (const InputError& error) {
            complain(exit_bad_input, error.what());
        }
    }

    void complain(int exit_code, const char* message) {
        progress_.clear();
        fmt::print(stderr, "neuroprim: {}\n", message);
        exit_code_ = std::max(exit_code_, exit_code);
    }

    void report(const Instance& instance, const Solution& solution) {
        if (arguments_.common.json) {
            const std::string text = solution_to_json(instance, solution);
            // Several answers are JSON lines: one object each.
            fmt::print("{}\n", several_ ? nlohmann::ordered_json::parse(text).dump() : text);
            return;
        }
        if (arguments_.common.quiet) return;
        if (!several_) {
            fmt::print("{}\n", one_line(solution));
            return;
        }
        table_.add({solution.instance, solution.problem, std::to_string(solution.n), readable(solution.cost),
                    solution.bound ? readable(*solution.bound) : "", gap_text(solution), solution.method,
                    fmt::format("{:.3f}", solution.seconds)});
    }

    const SolveArguments& arguments_;
    bool several_;
    Table table_;
    Progress progress_;
    std::size_t solved_ = 0;
    int exit_code_ = exit_solved;
};

void add_search_options(CLI::App& app, SolveArguments& arguments) {
    app.add_option("--time-limit", arguments.time_limit,
                   "search: stop after so many seconds; 1 when no other stopping rule is given")
        ->check(CLI::PositiveNumber)
        ->type_name("SECONDS");
    app.add_option("--target-gap", arguments.target_gap, "search: stop when so close to the proven bound")
        ->check(CLI::NonNegativeNumber)
        ->type_name("PERCENT");
    app.add_option("--max-iterations", arguments.max_iterations,
                   "search: stop after so many perturbations; the answer then depends on the seed alone")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--no-improvement", arguments.no_improvement,
                   "search: stop after so many perturbations in a row without a better tree")
        ->check(CLI::PositiveNumber);
    app.add_option("--warm-start", arguments.warm_start, "search: go on from the tree of this file")
        ->type_name("TREE");
    const std::map<std::string, Beginnings> beginnings = {{"best", Beginnings::best},
                                                          {"classical", Beginnings::classical},
                                                          {"neural", Beginnings::neural},
                                                          {"both", Beginnings::both}};
    app.add_option("--beginnings", arguments.beginnings,
                   "search: where its first trees come from; best takes what helps the problem")
        ->transform(CLI::CheckedTransformer(beginnings))
        ->type_name("best|classical|neural|both");
    app.add_option("--log", arguments.log, "search: write every better tree or bound to this CSV file")
        ->type_name("FILE");
}

}  // namespace

Command add_solve(CLI::App& root) {
    auto arguments = std::make_shared<SolveArguments>();
    CLI::App* app = root.add_subcommand("solve", "Find a good tree");
    app->add_option("input", arguments->inputs, "Instances; - is standard input, file.txt#3 the third of a file")
        ->required()
        ->type_name("INPUT");
    arguments->problem.add_to(*app);
    app->add_option("-m,--method", arguments->method, "How to find the tree; search unless given")
        ->check(CLI::IsMember(names_of(solve_methods())));
    app->add_option("--start", arguments->start, "Grow the tree from this vertex");
    app->add_option("--model", arguments->model,
                    "greedy, sample: weights of the policy; the pretrained ones for the problem unless given")
        ->type_name("FILE");
    app->add_option("--starts", arguments->starts, "greedy: from so many starts, spread evenly; 0 takes all of them");
    app->add_option("--samples", arguments->samples, "sample: how many trees; 0 takes twenty per start");
    app->add_option("--augment", arguments->augment,
                    "greedy, sample: look from so many of the eight sides of the square")
        ->check(CLI::Range(1, 8));
    app->add_option("--temperature", arguments->temperature, "sample: below one sharper, above one flatter")
        ->check(CLI::PositiveNumber);
    add_search_options(*app, *arguments);
    app->add_option("-o,--output", arguments->outputs,
                    "Write the tree, by ending: .json .csv .geojson .dot .svg .png; may be repeated; "
                    "{name} stands for the instance")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments->input.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim solve points.csv --problem dcmst --degree 3 --time-limit 5 -o tree.svg -o tree.json\n"
        "  neuroprim solve graph.stp --problem stp --method kruskal --json\n"
        "  neuroprim solve data/*.tsp --problem mst -o 'out/{name}.png'");
    return {app, [arguments] {
                catch_interrupts();
                return SolveRun(*arguments).run();
            }};
}

}  // namespace neuroprim::cli
