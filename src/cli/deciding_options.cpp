#include "cli/deciding_options.hpp"

#include "neuroprim/map_options.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::cli {

namespace {

nlohmann::json value_of(const Parameter& parameter, const std::string& text) {
    if (parameter.type == ParameterType::whole) return std::stoull(text);
    if (parameter.type == ParameterType::number) return std::stod(text);
    if (parameter.name == "initial" && text == "neural") return "policy";  // its former name
    return text;
}

}  // namespace

nlohmann::json deciding_options(const CLI::App& solve) {
    nlohmann::json result = nlohmann::json::object();
    for (const Parameter& parameter : parameters()) {
        if (!parameter.in_command || parameter.group == ParameterGroup::machine) continue;
        const std::string flag = spelled(parameter.name, Spelling::flag);
        if (solve.count(flag) == 0) continue;
        const nlohmann::json value = value_of(parameter, solve.get_option(flag)->results().back());
        const std::string usual(parameter.usual);
        if (usual.empty() || value != value_of(parameter, usual)) result[flag.substr(2)] = value;
    }
    if (solve.count("--obstacles") > 0) result["obstacles"] = solve.get_option("--obstacles")->results().back();
    for (const MapOption& option : map_options()) {
        const std::string flag = spelled(option.name, Spelling::flag);
        if (solve.count(flag) > 0) result[flag.substr(2)] = solve.get_option(flag)->results().back();
    }
    if (solve.count("--format") > 0) result["format"] = solve.get_option("--format")->results().back();
    return result;
}

}  // namespace neuroprim::cli
