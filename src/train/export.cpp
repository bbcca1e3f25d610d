#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"
#include "policy/model.hpp"
#include "train/checkpoint.hpp"
#include "train/configuration.hpp"
#include "train/run.hpp"

namespace neuroprim::train {

namespace {

Checkpoint find_checkpoint(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return read_checkpoint(path);
    const auto found = CheckpointFolder(path).latest(
        [](const std::string& message) { fmt::print(stderr, "neuroprim-train: {}\n", message); });
    if (!found) throw InputError(path.string(), 0, "holds no checkpoint");
    return *found;
}

/// Options of the method that differ from policy to policy, as text.
std::map<std::string, std::string> facts_of(const Configuration& configuration, const Checkpoint& checkpoint) {
    const auto json = nlohmann::json::parse(to_json(configuration));
    std::map<std::string, std::string> facts;
    for (const Option& option : options()) {
        if (!option.method || option.name == "problem") continue;
        const auto& value = json[option.name];
        facts[option.name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    for (const std::string& option : policy_options()) facts.erase(option);  // the file's own metadata has them
    facts["updates"] = fmt::format("{}", checkpoint.step);
    facts["updates_planned"] = fmt::format("{}", configuration.updates);
    facts["seconds"] = fmt::format("{:.0f}", checkpoint.seconds);
    return facts;
}

Configuration stored_configuration(const Checkpoint& checkpoint, const std::string& source) {
    Configuration configuration;
    for (const Setting& s : parse_json_settings(checkpoint.configuration, source + ": configuration")) {
        set(configuration, s.name, s.value, s.source, s.line);
    }
    return configuration;
}

}  // namespace

void export_policy(const ExportRequest& request) {
    formats::check_writable(request.output.string());
    const Checkpoint checkpoint = find_checkpoint(request.checkpoint);
    const Configuration configuration = stored_configuration(checkpoint, request.checkpoint.string());
    PolicyConfig config = configuration.policy();
    config.facts = facts_of(configuration, checkpoint);
    neuroprim::policy::TensorFile file;
    file.metadata = neuroprim::policy::to_metadata(config);
    file.tensors = checkpoint.model;
    neuroprim::policy::write_safetensors(request.output, file, request.half ? Precision::half : Precision::full);
    fmt::print("{}: {} after {} updates\n", request.output.string(), config.problem, checkpoint.step);
}

}  // namespace neuroprim::train
