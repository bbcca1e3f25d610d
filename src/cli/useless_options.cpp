#include "cli/useless_options.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::cli {

namespace {

void refuse_options_of_other_methods(const CLI::App& solve, std::string_view method) {
    for (const Parameter& parameter : parameters()) {
        if (parameter.in_command && solve.count(spelled(parameter.name, Spelling::flag)) > 0) {
            check_use(parameter, method);
        }
    }
    if (solve.count("--log") > 0 && method != "search") {
        throw InputError(
            fmt::format("--log is for --method search, and this one is {}: leave out one of them", method));
    }
}

/// The options of the method, as far as they are known before an instance is read.
SolveOptions options_of(const SolveArguments& arguments) {
    SolveOptions options;
    if (!arguments.start.empty()) options.start = 0;
    options.starts = arguments.starts;
    options.augmentations = arguments.augmentations;
    options.augmentations_per_start = arguments.augmentations_per_start;
    options.rounds = arguments.rounds;
    options.initial = arguments.initial;
    options.model = arguments.model;
    return options;
}

}  // namespace

void refuse_useless_options(const CLI::App& solve, const SolveArguments& arguments) {
    const std::string_view method = arguments.method.empty() ? "search" : std::string_view(arguments.method);
    refuse_options_of_other_methods(solve, method);
    check_use(options_of(arguments));
    for (const auto& [option, path] :
         {std::pair("--log", &arguments.log), std::pair("--results", &arguments.results)}) {
        if (*path == "-") throw InputError(fmt::format("{} needs a file: standard output has the answers", option));
    }
}

}  // namespace neuroprim::cli
