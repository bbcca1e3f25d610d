#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "cli/bench.hpp"
#include "cli/complaint.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/trainer.hpp"
#include "cli/training_curves.hpp"
#include "experiments/paper_report.hpp"
#include "experiments/sensitivity.hpp"
#include "formats/write/output_file.hpp"
#include "formats/write/standard_output.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace fs = std::filesystem;
using namespace experiments;

namespace {

struct BenchSensitivityArguments {
    std::string output;
    std::string problem = "dcmst";
    std::int64_t updates = 10000;
    std::vector<std::string> only;
    std::vector<std::string> passed_on;
    bool print = false;
    CommonOptions common;
};

/// The last validation cost of a run that has made all its updates; nothing when it has still to go on.
std::optional<double> final_cost(const fs::path& folder, std::int64_t updates) {
    if (!fs::exists(folder / "metrics.jsonl")) return std::nullopt;
    TrainingRun run;
    try {
        run = read_training_run(folder.string());
    } catch (const InputError&) {
        return std::nullopt;  // it was stopped before its first line
    }
    const auto& last = run.lines.back();
    const auto cost = last.find("validation_cost");
    if (last.at("step").get<std::int64_t>() < updates || cost == last.end() || !cost->is_number())
        return std::nullopt;
    return cost->get<double>();
}

/// Trains what has not been trained yet, then draws a picture per hyperparameter and prints the final costs.
class SensitivityBench {
public:
    explicit SensitivityBench(const BenchSensitivityArguments& arguments) : arguments_(arguments) {
        for (const auto& study : sensitivity_studies()) {
            const auto& only = arguments.only;
            if (only.empty() || std::find(only.begin(), only.end(), study.name) != only.end()) {
                studies_.push_back(&study);
            }
        }
    }

    int run() {
        if (arguments_.print) return print();
        make_folder();
        if (!train({sensitivity_base, "", {}})) {
            if (interrupted()) return exit_solved;
            throw InputError(fmt::format("{}: the base run did not succeed", folder_of(sensitivity_base).string()));
        }
        for (const auto* study : studies_) {
            for (const auto& setting : study->others) {
                if (interrupted()) return exit_solved;
                if (!train(setting) && !interrupted()) exit_code_ = exit_bad_input;
            }
            if (interrupted()) return exit_solved;
            draw(*study);
        }
        report();
        return exit_code_;
    }

private:
    [[nodiscard]] fs::path folder_of(std::string_view name) const { return fs::path(arguments_.output) / name; }

    void make_folder() const {
        std::error_code error;
        fs::create_directories(arguments_.output, error);
        if (!error && ::access(arguments_.output.c_str(), W_OK) != 0) error = {errno, std::generic_category()};
        if (error) {
            throw InputError(arguments_.output, 0,
                             fmt::format("expected a folder that can be written in: {}", error.message()));
        }
    }

    /// One line of shell for each run that is not complete.
    int print() const {
        const auto add = [&](const SensitivitySetting& setting) {
            const fs::path folder = folder_of(setting.name);
            if (final_cost(folder, arguments_.updates)) return;
            fmt::print("neuroprim train {}\n", fmt::join(trainer_arguments(setting, folder), " "));
        };
        add({sensitivity_base, "", {}});
        for (const auto* study : studies_) {
            for (const auto& setting : study->others) add(setting);
        }
        return exit_solved;
    }

    /// Whether the run is complete at the end.
    bool train(const SensitivitySetting& setting) {
        const fs::path folder = folder_of(setting.name);
        if (!final_cost(folder, arguments_.updates)) {
            say(fmt::format("{}: training\n", folder.string()));
            const int code = run_trainer("train", trainer_arguments(setting, folder));
            if (code != 0) complain(fmt::format("{}: training ended with {}", folder.string(), code));
        }
        const auto cost = final_cost(folder, arguments_.updates);
        if (cost) costs_[std::string(setting.name)] = *cost;
        return cost.has_value();
    }

    [[nodiscard]] std::vector<std::string> trainer_arguments(const SensitivitySetting& setting,
                                                             const fs::path& folder) const {
        const auto every = [&](std::int64_t parts) {
            return std::to_string(std::max<std::int64_t>(1, arguments_.updates / parts));
        };
        // --resume begins anew where there is nothing to go on from.
        std::vector<std::string> words = {"-o",
                                          folder.string(),
                                          "--resume",
                                          "--preset",
                                          "paper",
                                          "--problem",
                                          arguments_.problem,
                                          "--updates",
                                          std::to_string(arguments_.updates),
                                          "--log-every",
                                          every(100),
                                          "--validate-every",
                                          every(20),
                                          "--checkpoint-every",
                                          every(10),
                                          "--keep",
                                          "1"};
        if (arguments_.problem == "dcmst") words.insert(words.end(), {"--degree", "2"});
        if (arguments_.common.quiet) words.emplace_back("--quiet");
        words.insert(words.end(), setting.arguments.begin(), setting.arguments.end());
        words.insert(words.end(), arguments_.passed_on.begin(), arguments_.passed_on.end());
        return words;
    }

    void draw(const SensitivityStudy& study) const {
        std::vector<TrainingRun> runs;
        const auto add = [&](std::string_view name, std::string_view label) {
            if (!costs_.contains(std::string(name))) return;
            runs.push_back(read_training_run(folder_of(name).string()));
            runs.back().name = fmt::format("{} = {}", study.title, label);
        };
        add(sensitivity_base, study.base_label);
        for (const auto& setting : study.others) add(setting.name, setting.label);
        constexpr double width = 800;
        const std::string path = folder_of(std::string(study.name) + ".svg").string();
        write_svg(path, draw_training_curves(runs, "step", width));
        say(path + "\n");
    }

    void report() const {
        const std::vector<std::string> header = {"hyperparameter", "value", "validation cost", "to the base"};
        std::string text = markdown_row(header) + markdown_rule(header.size());
        const double base = costs_.at(std::string(sensitivity_base));
        const auto add = [&](std::string_view title, std::string_view label, std::string_view name) {
            const auto cost = costs_.find(std::string(name));
            const bool known = cost != costs_.end();
            text += markdown_row(std::vector<std::string>{
                std::string(title), std::string(label), known ? fmt::format("{:.4f}", cost->second) : "failed",
                known ? readable_percent(100 * (cost->second / base - 1)) + " %" : ""});
        };
        for (const auto* study : studies_) {
            add(study->title, fmt::format("{} (base)", study->base_label), sensitivity_base);
            for (const auto& setting : study->others) add(study->title, setting.label, setting.name);
        }
        const std::string path = folder_of("sensitivity.md").string();
        say("\n" + text);
        formats::write_file(path, text);
    }

    void say(const std::string& text) const {
        if (arguments_.common.quiet) return;
        fmt::print("{}", text);
        formats::flush_standard_output();
    }

    const BenchSensitivityArguments& arguments_;
    std::vector<const SensitivityStudy*> studies_;
    std::map<std::string, double> costs_;  // by the name of the setting
    int exit_code_ = exit_solved;
};

}  // namespace

Command add_bench_sensitivity(CLI::App& bench) {
    auto arguments = std::make_shared<BenchSensitivityArguments>();
    CLI::App* app = bench.add_subcommand("sensitivity", "Train with one hyperparameter changed at a time");
    app->add_option("-o,--output", arguments->output, "Folder for the runs, the pictures and the table")
        ->required()
        ->type_name("FOLDER");
    app->add_option("-p,--problem", arguments->problem, "What to train for")
        ->check(CLI::IsMember({"dcmst", "mrcst", "stp"}))
        ->capture_default_str();
    app->add_option("--updates", arguments->updates, "Length of each run; the paper's is 100000")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app->add_option("--only", arguments->only, "Only these hyperparameters")
        ->check(CLI::IsMember(names_of(sensitivity_studies())))
        ->delimiter(',');
    app->add_flag("--print", arguments->print,
                  "Print the training commands instead, to run them side by side or elsewhere");
    app->add_flag("-q,--quiet", arguments->common.quiet, "Print nothing but errors");
    app->allow_extras();
    app->footer(
        "All other options are passed on to neuroprim train. Runs that are complete are skipped, others go on where\n"
        "they stopped. Runs made with the commands of --print are found in the same folder.\n"
        "\n"
        "Examples:\n"
        "  neuroprim bench sensitivity -o study --updates 2000\n"
        "  neuroprim bench sensitivity -o study --only heads,edge-width --device cuda");
    return {app, [app, arguments] {
                arguments->passed_on = app->remaining();
                catch_interrupts();
                return SensitivityBench(*arguments).run();
            }};
}

}  // namespace neuroprim::cli
