#include "cli/useless_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"

namespace neuroprim::cli {

namespace {

/// An option and the methods that read it.
struct OptionUse {
    const char* option;
    std::vector<std::string_view> methods;
    std::string_view said = {};  ///< in place of a long list
};

std::vector<std::string_view> classical_and_search() {
    std::vector<std::string_view> result = {"search"};
    for (const Method& method : methods()) result.push_back(method.name);
    return result;
}

const std::vector<OptionUse>& option_uses() {
    static const std::vector<OptionUse> uses = {
        {"--model", {"greedy", "beam", "sample", "search"}},
        {"--starts", {"greedy", "beam"}},
        {"--beam", {"beam"}},
        {"--samples", {"sample"}},
        {"--temperature", {"sample"}},
        {"--augment", {"greedy", "beam", "sample"}},
        {"--spread", {"greedy", "beam", "sample"}},
        {"--rounds", {"greedy", "beam", "sample"}},
        {"--time-limit", classical_and_search(), "search and the classical ones"},
        {"--target-gap", {"search"}},
        {"--max-iterations", {"search"}},
        {"--no-improvement", {"search"}},
        {"--warm-start", {"search"}},
        {"--initial", {"search"}},
        {"--log", {"search"}},
    };
    return uses;
}

void refuse_options_of_other_methods(const CLI::App& solve, std::string_view method) {
    for (const auto& [option, methods, said] : option_uses()) {
        if (solve.count(option) == 0) continue;
        if (std::find(methods.begin(), methods.end(), method) != methods.end()) continue;
        throw InputError(fmt::format("{} is for --method {}, and this one is {}: leave out one of them", option,
                                     said.empty() ? fmt::format("{}", fmt::join(methods, ", ")) : std::string(said),
                                     method));
    }
}

}  // namespace

void refuse_useless_options(const CLI::App& solve, const SolveArguments& arguments) {
    const std::string_view method = arguments.method.empty() ? "search" : std::string_view(arguments.method);
    refuse_options_of_other_methods(solve, method);
    if (!arguments.start.empty() && arguments.starts > 0) {
        throw InputError("--start names the one start, and --starts asks for several: leave out one of them");
    }
    if (arguments.augment == 1 && (arguments.spread > 0 || arguments.rounds > 1)) {
        throw InputError("--spread and --rounds choose among several sides: they need --augment 2 or more");
    }
    if (arguments.initial == Initial::classical && !arguments.model.empty()) {
        throw InputError("--initial classical asks no policy: leave out --model");
    }
    for (const auto& [option, path] :
         {std::pair("--log", &arguments.log), std::pair("--results", &arguments.results)}) {
        if (*path == "-") throw InputError(fmt::format("{} needs a file: standard output has the answers", option));
    }
}

}  // namespace neuroprim::cli
