#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/bench.hpp"
#include "cli/interrupt.hpp"
#include "cli/measurement_file.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "experiments/generalization.hpp"
#include "experiments/paper_report.hpp"
#include "formats/write/standard_output.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim::cli {

using namespace experiments;

namespace {

struct BenchGeneralizeArguments {
    std::string problem;
    std::string csv;
    std::string model;
    Vertex min_n = 50;
    Vertex max_n = 1000;
    std::size_t count = 0;
    double reference_seconds = 3;
    MemoryOption max_memory;
    CommonOptions common;

    [[nodiscard]] std::size_t count_of(Vertex n) const {
        return count == 0 ? generalization_count(n) : std::min(count, generalization_count(n));
    }
};

std::vector<const GeneralizationStudy*> chosen_studies(const BenchGeneralizeArguments& arguments) {
    std::vector<const GeneralizationStudy*> result;
    for (const auto& study : generalization_studies()) {
        if (!arguments.problem.empty() && study.name != arguments.problem) continue;
        (void)load_policy(study.name, arguments.model);  // what is wrong with it is said before anything is measured
        result.push_back(&study);
    }
    return result;
}

/// Measures size after size and prints each line as soon as it is known.
class GeneralizeBench {
public:
    explicit GeneralizeBench(const BenchGeneralizeArguments& arguments)
        : arguments_(arguments),
          studies_(chosen_studies(arguments)),
          sizes_(generalization_sizes(arguments.min_n, arguments.max_n)),
          file_(arguments.csv, generalization_columns),
          progress_(total(), arguments.common.quiet) {
        options_.reference_seconds = arguments.reference_seconds;
        options_.seed = arguments.common.seed;
        options_.threads = arguments.common.thread_count();
        options_.interrupted = interrupted;
        options_.max_memory = arguments.max_memory.most;
    }

    int run() {
        if (sizes_.empty()) {
            throw InputError(fmt::format("none of the sizes is from {} to {}", arguments_.min_n, arguments_.max_n));
        }
        const std::vector<std::string> header = {
            "problem",    "n",           "instances",   "reference",      "proven",
            "greedy gap", "± deviation", "the paper's", "s per instance", "gap, eight augmentations"};
        say(markdown_row(header) + markdown_rule(header.size()));
        for (const GeneralizationStudy* study : studies_) {
            for (const Vertex n : sizes_) {
                measure_size(*study, n);
                if (interrupted()) return exit_solved;
            }
        }
        return exit_solved;
    }

private:
    [[nodiscard]] std::size_t total() const {
        std::size_t sum = 0;
        for (const Vertex n : sizes_) sum += arguments_.count_of(n) * studies_.size();
        return sum;
    }

    void measure_size(const GeneralizationStudy& study, Vertex n) {
        std::vector<GeneralizationCase> cases;
        for (std::size_t k = 0; k < arguments_.count_of(n); ++k) {
            try {
                cases.push_back(measure_generalization(study, n, k, arguments_.model, options_));
            } catch (const Interrupted&) {
                break;
            } catch (const Infeasible&) {
                if (!interrupted()) throw;
                break;
            }
            file_.add(generalization_row(cases.back()));
            progress_.finish_one();
        }
        if (!cases.empty()) report(study, n, summary_of(cases));
    }

    void report(const GeneralizationStudy& study, Vertex n, const GeneralizationSummary& summary) {
        const auto published = published_generalization(study.name, n);
        if (arguments_.common.json) {
            fmt::print("{}\n", nlohmann::ordered_json{{"problem", study.name},
                                                      {"n", n},
                                                      {"instances", summary.instances},
                                                      {"reference", study.reference},
                                                      {"proven", summary.proven},
                                                      {"gap_percent", summary.gap_percent},
                                                      {"deviation", summary.deviation},
                                                      {"seconds", summary.seconds},
                                                      {"spread_gap_percent", summary.spread_gap_percent}}
                                   .dump());
            return;
        }
        const bool searched = study.reference == "search";
        const std::vector<std::string> cells = {
            std::string(study.title),
            fmt::format("{}", n),
            fmt::format("{}", summary.instances),
            searched ? fmt::format("search, {:g} s", arguments_.reference_seconds) : std::string(study.reference),
            searched ? fmt::format("{}", summary.proven) : "",
            readable_percent(summary.gap_percent) + " %",
            readable_percent(summary.deviation),
            published ? readable_percent(*published) + " %" : "",
            readable_seconds(summary.seconds),
            readable_percent(summary.spread_gap_percent) + " %"};
        say(markdown_row(cells));
    }

    void say(const std::string& text) {
        if (arguments_.common.quiet || arguments_.common.json) return;
        progress_.with_lock([&] {
            fmt::print("{}", text);
            formats::flush_standard_output();
        });
    }

    const BenchGeneralizeArguments& arguments_;
    std::vector<const GeneralizationStudy*> studies_;
    std::vector<Vertex> sizes_;
    MeasurementFile file_;
    Progress progress_;
    GeneralizationOptions options_;
};

}  // namespace

Command add_bench_generalize(CLI::App& bench) {
    auto arguments = std::make_shared<BenchGeneralizeArguments>();
    CLI::App* app = bench.add_subcommand("generalize", "Random instances larger than those of the training");
    app->add_option("-p,--problem", arguments->problem, "Only this one")
        ->check(CLI::IsMember(names_of(generalization_studies())));
    app->add_option("--min-n", arguments->min_n, "The smallest of the sizes")->capture_default_str()->type_name("N");
    app->add_option("--max-n", arguments->max_n, "The largest of the sizes 50, 100, 200, 500, 1000, 2000")
        ->capture_default_str()
        ->type_name("N");
    app->add_option("--count", arguments->count, "At most so many instances of each size, instead of 10000/n")
        ->check(CLI::PositiveNumber);
    app->add_option("--reference-seconds", arguments->reference_seconds,
                    "dcmst, stp: how long the search for the reference may take")
        ->check(is_positive(most_seconds))
        ->capture_default_str()
        ->type_name("SECONDS");
    app->add_option("--model", arguments->model,
                    "Weights of the policy, with --problem; otherwise the pretrained ones")
        ->needs("--problem")
        ->type_name("FILE");
    app->add_option("--csv", arguments->csv, "Write every instance to this file")->type_name("FILE");
    arguments->max_memory.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim bench generalize --csv sizes.csv\n"
        "  neuroprim bench generalize --problem mrcst --max-n 200 --count 10");
    return {app, [arguments] {
                catch_interrupts();
                return GeneralizeBench(*arguments).run();
            }};
}

}  // namespace neuroprim::cli
