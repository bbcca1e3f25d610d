#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace neuroprim::cli {

/// The options of `neuroprim solve` that decide the answer, as they were given, by their long names. Those that were
/// not given, or say what holds anyway, are left out; so is what only decides where the work is done.
[[nodiscard]] nlohmann::json deciding_options(const CLI::App& solve);

}  // namespace neuroprim::cli
