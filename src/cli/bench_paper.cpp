#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/bench.hpp"
#include "cli/interrupt.hpp"
#include "cli/measurement_file.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "experiments/paper_experiment.hpp"
#include "experiments/paper_report.hpp"
#include "formats/write/standard_output.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim::cli {

namespace fs = std::filesystem;
using namespace experiments;

namespace {

struct BenchPaperArguments {
    std::string data;
    std::string paper;
    std::string csv;
    std::string table;
    std::string model;
    std::optional<double> search_seconds;
    Vertex max_n = std::numeric_limits<Vertex>::max();
    Vertex sample_max_n = std::numeric_limits<Vertex>::max();
    bool quick = false;
    MemoryOption max_memory;
    CommonOptions common;

    [[nodiscard]] PaperOptions experiment() const {
        return {quick ? 0 : sample_max_n, search_seconds, common.seed,
                common.thread_count(),    interrupted,    max_memory.most};
    }
};

/// What is known about a table before anything is measured: missing data is told at once, not after an hour.
struct PreparedTable {
    const LiteratureTable* table;
    std::vector<LiteratureCase> cases;
    std::map<std::string, Published> published;
    Policy policy;
};

/// From the folder that --paper names; otherwise from the one beside the data, where it has them.
std::map<std::string, Published> results_of_the_paper(const LiteratureTable& table,
                                                      const BenchPaperArguments& arguments) {
    if (!arguments.paper.empty()) return published_results(table, arguments.paper);
    const fs::path beside = (fs::absolute(arguments.data) / "" / ".." / "paper").lexically_normal();
    if (!fs::exists(beside / table.published)) return {};
    return published_results(table, beside);
}

std::vector<PreparedTable> prepare(const BenchPaperArguments& arguments) {
    if (!fs::is_directory(arguments.data)) {
        throw InputError(arguments.data, 0, "no such folder: --data names one with best_known.csv and its instances");
    }
    std::vector<PreparedTable> result;
    for (const auto& table : literature_tables()) {
        if (!arguments.table.empty() && table.name != arguments.table) continue;
        result.push_back({&table, literature_cases(table, arguments.data), results_of_the_paper(table, arguments),
                          load_policy(table.name, arguments.model)});
    }
    return result;
}

std::string json_line(const Measurement& m) {
    nlohmann::ordered_json json = {{"table", m.table},
                                   {"instance", m.instance},
                                   {"n", m.n},
                                   {"bks", m.best_known},
                                   {"method", m.method},
                                   {"cost", m.cost},
                                   {"gap_percent", m.gap_percent},
                                   {"seconds", m.seconds}};
    if (m.statistics) {
        json["mean"] = m.statistics->mean;
        json["deviation"] = m.statistics->deviation;
    }
    return json.dump();
}

/// Measures table after table and prints each line as soon as it is known.
class PaperBench {
public:
    explicit PaperBench(const BenchPaperArguments& arguments)
        : arguments_(arguments),
          tables_(prepare(arguments)),
          file_(arguments.csv, measurement_columns),
          progress_(count(), arguments.common.quiet) {}

    int run() {
        for (const auto& prepared : tables_) {
            measure_table(prepared);
            if (interrupted()) break;
        }
        return exit_solved;
    }

private:
    [[nodiscard]] std::size_t count() const {
        std::size_t total = 0;
        for (const auto& prepared : tables_) total += prepared.cases.size();
        return total;
    }

    [[nodiscard]] bool leaves_out(const Instance& instance) const {
        constexpr Vertex quick_max_n = 100;
        return instance.size() > arguments_.max_n || (arguments_.quick && instance.size() > quick_max_n);
    }

    void measure_table(const PreparedTable& prepared) {
        const PaperOptions options = arguments_.experiment();
        const PaperReport report(*prepared.table, paper_methods(options, !prepared.published.empty()));
        std::vector<Measurement> all;
        say(report.beginning());
        for (const auto& item : prepared.cases) {
            const Instance instance = read_case(*prepared.table, item);
            if (!leaves_out(instance)) {
                const std::vector<Measurement> measured = measure(prepared, item, instance, options);
                if (measured.empty()) break;
                say(report.row(measured));
                keep(measured);
                all.insert(all.end(), measured.begin(), measured.end());
            }
            progress_.finish_one();
        }
        if (!all.empty()) say(report.means(all));
        say("\n");
    }

    /// Nothing when it was interrupted.
    static std::vector<Measurement> measure(const PreparedTable& prepared, const LiteratureCase& item,
                                            const Instance& instance, const PaperOptions& options) {
        const auto found = prepared.published.find(item.instance);
        const auto published = found == prepared.published.end() ? std::nullopt : std::optional(found->second);
        try {
            return measure_case(*prepared.table, item, instance, published, prepared.policy, options);
        } catch (const Interrupted&) {
            return {};
        } catch (const Infeasible&) {
            if (!interrupted()) throw;
            return {};
        }
    }

    void keep(const std::vector<Measurement>& measured) {
        for (const auto& m : measured) {
            file_.add(measurement_row(m));
            if (arguments_.common.json) progress_.with_lock([&] { fmt::print("{}\n", json_line(m)); });
        }
    }

    void say(const std::string& text) {
        if (arguments_.common.quiet || arguments_.common.json) return;
        progress_.with_lock([&] {
            fmt::print("{}", text);
            formats::flush_standard_output();
        });
    }

    const BenchPaperArguments& arguments_;
    std::vector<PreparedTable> tables_;
    MeasurementFile file_;
    Progress progress_;
};

}  // namespace

Command add_bench_paper(CLI::App& bench) {
    auto arguments = std::make_shared<BenchPaperArguments>();
    CLI::App* app = bench.add_subcommand("paper", "The paper's three tables, with our methods beside its own");
    app->add_option("--data", arguments->data, "Folder of literature instances, with best_known.csv")
        ->required()
        ->type_name("DIR");
    app->add_option(
           "--paper", arguments->paper,
           "Folder with the paper's own results, table_dcmst.csv and so on; ../paper beside the data, if any")
        ->type_name("DIR");
    app->add_option("--csv", arguments->csv, "Write every measurement to this file")->type_name("FILE");
    app->add_option("--table", arguments->table, "Only this one")
        ->check(CLI::IsMember(names_of(literature_tables())));
    app->add_option("--model", arguments->model, "Weights of the policy, with --table; otherwise the pretrained ones")
        ->needs("--table")
        ->type_name("FILE");
    app->add_option("--search", arguments->search_seconds, "Also the anytime search, for so long on each instance")
        ->check(is_positive(most_seconds))
        ->type_name("SECONDS");
    app->add_option("--max-n", arguments->max_n, "Leave out instances with more vertices")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    app->add_option("--sample-max-n", arguments->sample_max_n, "Do not sample instances with more vertices")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    app->add_flag("--quick", arguments->quick, "No sampling, nothing above 100 vertices");
    arguments->max_memory.add_to(*app);
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim bench paper --data benchmarks --csv paper.csv\n"
        "  neuroprim bench paper --data benchmarks --table stp --search 5 --quick");
    return {app, [arguments] {
                catch_interrupts();
                return PaperBench(*arguments).run();
            }};
}

}  // namespace neuroprim::cli
