#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/policy.hpp"

namespace neuroprim::cli {

namespace {

struct ModelArguments {
    CommonOptions common;
    std::string path;
    std::string output;
    bool half = false;
    bool checksum = false;
    double sharpen = 1;
    std::string average;
    double share = 0.5;

    [[nodiscard]] Precision precision() const {
        if (half) return Precision::half;
        return checksum && sharpen == 1 && average.empty() ? Precision::stored : Precision::full;
    }
};

using Facts = nlohmann::ordered_json;

Facts describe(const std::string& path, const Policy& policy) {
    const PolicyConfig& config = policy.config();
    Facts facts = {{"model", std::filesystem::path(path).stem().string()},
                   {"bytes", std::filesystem::file_size(path)},
                   {"checksum", policy.checksum().empty() ? "no checksum" : policy.checksum()},
                   {"problem", config.problem},
                   {"d_v", config.d_v},
                   {"d_e", config.d_e},
                   {"d_f", config.d_f},
                   {"heads", config.heads},
                   {"encoder_layers", config.encoder_layers},
                   {"decoder_layers", config.decoder_layers},
                   {"clip", config.clip},
                   {"attention_size", config.attention_size},
                   {"features", fmt::format("{}", fmt::join(config.features, ","))}};
    for (const auto& [name, value] : config.facts) facts["training"][name] = value;
    return facts;
}

void print(const Facts& facts) {
    for (const auto& [key, value] : facts.items()) {
        if (value.is_object()) {
            print(value);
        } else {
            fmt::print("{:<24} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
        }
    }
}

int describe_or_rewrite(const ModelArguments& arguments) {
    const bool changes = arguments.half || arguments.sharpen != 1 || arguments.checksum || !arguments.average.empty();
    if (changes && arguments.output.empty()) {
        throw InputError("--half, --sharpen, --average and --checksum need a file to write: -o FILE");
    }
    if (!arguments.output.empty()) formats::check_writable(arguments.output);
    Policy policy = Policy::load(arguments.path);
    if (!arguments.average.empty()) policy = policy.averaged_with(Policy::load(arguments.average), arguments.share);
    if (arguments.sharpen != 1) policy = policy.sharpened(arguments.sharpen);
    std::string shown = arguments.path;
    if (!arguments.output.empty()) {
        policy.save(arguments.output, arguments.precision());
        shown = arguments.output;
        policy = Policy::load(shown);
    }
    const Facts facts = describe(shown, policy);
    if (arguments.common.json) {
        fmt::print("{}\n", facts.dump());
    } else if (!arguments.common.quiet && arguments.output.empty()) {
        print(facts);
    } else if (!arguments.common.quiet) {
        fmt::print("{}: {} bytes\n", shown, facts["bytes"].get<std::uintmax_t>());
    }
    return exit_solved;
}

}  // namespace

Command add_model(CLI::App& root) {
    auto arguments = std::make_shared<ModelArguments>();
    CLI::App* app = root.add_subcommand("model", "Show what a policy file holds, or write a changed copy");
    app->add_option("model", arguments->path, "The policy: model.safetensors")->required()->type_name("MODEL");
    app->add_option("-o,--output", arguments->output, "Write the policy there")->type_name("FILE");
    app->add_flag("--half", arguments->half, "Large matrices in 16 bits instead of 32");
    app->add_option("--sharpen", arguments->sharpen,
                    "Multiply the scores of attention, for graphs larger than those of the training")
        ->check(is_positive())
        ->type_name("FACTOR");
    auto* average = app->add_option("--average", arguments->average,
                                    "Take the mean with an earlier stage of its training, number by number");
    average->type_name("MODEL");
    app->add_option("--share", arguments->share, "What that stage counts for in the mean")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0))
        ->needs(average)
        ->type_name("NUMBER");
    app->add_flag("--checksum", arguments->checksum,
                  "As it is, with a checksum of its numbers; all that this version writes have one");
    arguments->common.add_to(*app);
    app->footer(
        "Examples:\n"
        "  neuroprim model models/mrcst.safetensors\n"
        "  neuroprim model trained.safetensors --half -o small.safetensors\n"
        "  neuroprim model old.safetensors --checksum -o old.safetensors");
    return {app, [arguments] { return describe_or_rewrite(*arguments); }};
}

}  // namespace neuroprim::cli
