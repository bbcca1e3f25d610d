#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <memory>
#include <new>

#include "formats/write/standard_output.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"
#include "train/device.hpp"
#include "train/run.hpp"

namespace {

using namespace neuroprim;
using namespace neuroprim::train;

constexpr int exit_done = 0;
constexpr int exit_infeasible = 1;
constexpr int exit_bad_input = 2;
constexpr const char* command_line = "command line";

int complain(const std::string& message) {
    fmt::print(stderr, "neuroprim-train: {}\n", message);
    return exit_bad_input;
}

/// The words given on the command line, by option name; they win over the file, which wins over the preset.
struct TrainArguments {
    TrainRequest request;
    std::string preset;
    std::string config;
    std::vector<std::string> words;  // one per entry of options()
};

std::string dashed(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

Value value_from(const Option& option, const std::string& word) {
    const auto number = [&]<class Number>(Number value) -> Value {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error == std::errc() && end == word.data() + word.size()) return value;
        return word;  // `set` says what it expected instead
    };
    if (std::holds_alternative<std::int64_t Configuration::*>(option.member)) return number(std::int64_t{0});
    if (std::holds_alternative<Range Configuration::*>(option.member)) return number(std::int64_t{0});
    if (std::holds_alternative<double Configuration::*>(option.member)) return number(0.0);
    if (std::holds_alternative<bool Configuration::*>(option.member)) {
        if (word == "true" || word == "false") return word == "true";
    }
    return word;
}

/// The file may name a preset too, which it then refines.
std::vector<Setting> settings_from(const TrainArguments& arguments, const CLI::App& app) {
    std::vector<Setting> from_file;
    std::string preset = arguments.preset;
    if (!arguments.config.empty()) {
        for (Setting& setting : read_settings(arguments.config)) {
            if (setting.name != "preset") {
                from_file.push_back(std::move(setting));
            } else if (const auto* name = std::get_if<std::string>(&setting.value)) {
                if (preset.empty()) preset = *name;
            } else {
                throw InputError(setting.source, setting.line, "preset: expected a text");
            }
        }
    }
    std::vector<Setting> result;
    if (!preset.empty()) result = preset_settings(preset);
    result.insert(result.end(), from_file.begin(), from_file.end());
    for (std::size_t k = 0; k < options().size(); ++k) {
        const Option& option = options()[k];
        const std::string flag = "--" + dashed(option.name);
        const std::string former = "--" + former_name(option.name);
        if (app.count(flag) == 0 && (former == "--" || app.count(former) == 0)) continue;
        result.push_back({option.name, value_from(option, arguments.words[k]), command_line, 0});
    }
    return result;
}

CLI::App* add_train(CLI::App& root, TrainArguments& arguments) {
    CLI::App* app = root.add_subcommand("train", "Train a policy on random instances");
    app->add_option("-o,--output", arguments.request.folder, "Folder of the run: configuration, metrics, checkpoints")
        ->required()
        ->type_name("RUN");
    app->add_flag("--resume", arguments.request.resume, "Go on from the newest checkpoint of the folder, if any");
    app->add_option("--config", arguments.config, "Options from a file: .toml or .json")->type_name("FILE");
    app->add_option("--preset", arguments.preset, "Options to begin with: paper")->type_name("NAME");
    app->add_flag("-q,--quiet", arguments.request.quiet, "Print errors only");
    const Configuration standard;
    arguments.words.resize(options().size());
    for (std::size_t k = 0; k < options().size(); ++k) {
        const Option& option = options()[k];
        const std::string shown = std::visit(
            [&](auto member) {
                if constexpr (std::is_same_v<decltype(member), Range Configuration::*>) {
                    return to_text(standard.*member);
                } else {
                    return fmt::format("{}", standard.*member);
                }
            },
            option.member);
        app->add_option("--" + dashed(option.name), arguments.words[k], option.help)
            ->default_str(shown)
            ->type_name(std::holds_alternative<std::string Configuration::*>(option.member) ? "TEXT"
                        : std::holds_alternative<Range Configuration::*>(option.member)     ? "NUMBER|LOW..HIGH"
                        : std::holds_alternative<bool Configuration::*>(option.member)      ? "true|false"
                                                                                            : "NUMBER");
        if (const std::string former = former_name(option.name); !former.empty()) {
            app->add_option("--" + former, arguments.words[k])->group("");
        }
    }
    app->footer(
        "The file takes the same names with underscores: learning_rate = 1e-4. The command line wins over the file,\n"
        "the file over the preset.\n"
        "\n"
        "Examples:\n"
        "  neuroprim train --preset paper --problem dcmst --degree 2 -o runs/dcmst\n"
        "  neuroprim train --config configs/tiny-dcmst.toml -o runs/tiny\n"
        "  neuroprim train -o runs/tiny --resume\n"
        "  torchrun --nproc-per-node 4 --no-python neuroprim-train train --config run.toml -o runs/four\n"
        "  neuroprim curves runs/tiny -o curves.svg");
    return app;
}

CLI::App* add_export(CLI::App& root, ExportRequest& request) {
    CLI::App* app = root.add_subcommand("export", "Turn a checkpoint into a policy file");
    app->add_option("checkpoint", request.checkpoint, "A checkpoint, or the folder of a run: its newest one")
        ->required()
        ->type_name("CHECKPOINT");
    app->add_option("-o,--output", request.output, "The policy: model.safetensors")->required()->type_name("FILE");
    app->add_flag("--half", request.half, "Large matrices in 16 bits instead of 32: half the size");
    return app;
}

CLI::App* add_decode(CLI::App& root, DecodeRequest& request) {
    CLI::App* app = root.add_subcommand("decode", "The policy's trees of many instances at once, on a GPU or CPU");
    app->add_option("inputs", request.inputs,
                    "Complete graphs, of points unless the policy sees weights: files, folders, NumPy files of shape "
                    "(G, n, 2)")
        ->required()
        ->type_name("FILE");
    app->add_option("--model", request.model, "The policy; the pretrained one unless given")->type_name("FILE");
    app->add_option("--problem", request.problem, "Preset; unless given, what limits and inputs say");
    for (const NumberLimit& limit : number_limits()) {
        const auto set = [&request, &limit](const double& number) {
            if (number < limit.least || (limit.above && number == limit.least) ||
                (limit.is_whole() && number != std::floor(number))) {
                throw CLI::ValidationError(fmt::format("--{}: expected {}", limit.name, limit.expected()));
            }
            limit.set(request.options, number);
        };
        app->add_option_function<double>(fmt::format("--{}", limit.name), set, std::string(limit.help))
            ->type_name(std::string(limit.value));
    }
    app->add_option_function<Vertex>(
           "--root", [&request](const Vertex& vertex) { request.options.root = vertex; },
           "Where hops, lengths and loads are counted from, by number")
        ->check(CLI::NonNegativeNumber);
    app->add_option("--starts", request.decoding.starts, "Vertices to grow from, spread evenly; 0: all")
        ->check(CLI::NonNegativeNumber);
    app->add_option("--samples", request.decoding.samples, "Trees drawn for each instance; 0: greedy, one a start")
        ->check(CLI::NonNegativeNumber);
    app->add_option("--augmentations", request.decoding.augmentations, "Symmetries of the square, 1 to 8")
        ->check(CLI::Range(1, 8));
    app->add_option("--seed", request.decoding.seed, "What is drawn follows from it");
    app->add_option("--device", request.device, "auto, cpu, cuda or cuda:K")->check([](const std::string& name) {
        return is_device_name(name) ? std::string() : std::string("expected auto, cpu, cuda or cuda:K");
    });
    app->add_option("--costs", request.costs, "Write name and cost of each instance: FILE.csv")->type_name("FILE");
    app->add_option("--trees", request.trees, "Write the edges, (G, n - 1, 2) filled up with -1: FILE.npy")
        ->type_name("FILE");
    app->add_flag("-q,--quiet", request.quiet, "Print errors only");
    app->footer(
        "Examples:\n"
        "  neuroprim decode batch.npy --problem dcmst --degree 2 --trees trees.npy\n"
        "  neuroprim decode towns/ --hops 4 --root 0 --augmentations 8 --device cuda --costs costs.csv");
    return app;
}

int run(int argc, char** argv) {
    CLI::App root("Trains policies for constrained spanning trees.", "neuroprim-train");
    root.set_version_flag("--version", "neuroprim-train " NEUROPRIM_VERSION);
    root.require_subcommand(1);
    TrainArguments arguments;
    ExportRequest export_request;
    DecodeRequest decode_request;
    const CLI::App* train_app = add_train(root, arguments);
    const CLI::App* export_app = add_export(root, export_request);
    const CLI::App* decode_app = add_decode(root, decode_request);
    try {
        root.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return root.exit(error);
        const auto used = root.get_subcommands();
        return complain(fmt::format("{}\nTry 'neuroprim {}--help'.", error.what(),
                                    used.empty() ? "" : used[0]->get_name() + " "));
    }
    if (train_app->parsed()) {
        arguments.request.settings = settings_from(arguments, *train_app);
        neuroprim::train::train(arguments.request);
    }
    if (export_app->parsed()) export_policy(export_request);
    if (decode_app->parsed() && decode(decode_request) > 0) return exit_infeasible;
    return exit_done;
}

}  // namespace

int main(int argc, char** argv) {
    neuroprim::formats::hold_standard_descriptors();
    try {
        const int exit_code = run(argc, argv);
        neuroprim::formats::flush_standard_output();
        return exit_code;
    } catch (const std::bad_alloc&) {
        return complain("not enough memory: fewer --graphs or --trajectories need less");
    } catch (const c10::Error& error) {
        const std::string message = error.what_without_backtrace();
        if (message.find("out of memory") != std::string::npos) {
            return complain("not enough memory on the device: fewer --graphs or --trajectories need less");
        }
        return complain(message);
    } catch (const std::exception& error) {
        return complain(error.what());
    }
}
