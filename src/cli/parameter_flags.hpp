#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/parameters.hpp"

namespace neuroprim::cli {

/// The words that a parameter may be, from the registries that have them; empty where it is no choice.
[[nodiscard]] std::vector<std::string> choices_of(const Parameter& parameter);

/// The names of its flag: `-d,--degree`.
[[nodiscard]] std::string flag_names(const Parameter& parameter);

/// Gives a flag what the table says: help, the name of its value, the usual value, and a check of its range.
CLI::Option* dressed(CLI::Option* option, const Parameter& parameter);

/// Adds the flag of a parameter.
template <class Value>
CLI::Option* add_parameter(CLI::App& app, std::string_view name, Value& value) {
    const Parameter& known = parameter(name);
    return dressed(app.add_option(flag_names(known), value), known);
}

/// The same for one that is given or not.
inline CLI::Option* add_parameter(CLI::App& app, std::string_view name, bool& value) {
    const Parameter& known = parameter(name);
    return dressed(app.add_flag(flag_names(known), value), known);
}

}  // namespace neuroprim::cli
