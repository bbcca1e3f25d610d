#include "cli/parameter_flags.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "cli/options.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::cli {

namespace {

/// Numbers of a parameter are checked as text: CLI11 lets NaN pass, and wraps -1 around where it is to be unsigned.
template <class Number>
std::string complaint_about(const Parameter& parameter, std::string_view text) {
    std::string_view digits = text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    Number value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_number = error == std::errc() && end == digits.data() + digits.size();
    const double nothing_fits = parameter.range.least - 1;
    const auto expected = expected_instead_of(parameter, is_number ? static_cast<double>(value) : nothing_fits);
    if (!expected) return {};
    const char* why = error == std::errc::result_out_of_range ? ", which is too large" : "";
    return fmt::format("expected {}, found \"{}\"{}", *expected, text, why);
}

CLI::Validator range_check(const Parameter& parameter) {
    CLI::Validator result("");  // nothing to add to the help
    result.operation([&parameter](std::string& text) {
        return parameter.type == ParameterType::whole ? complaint_about<std::uint64_t>(parameter, text)
                                                      : complaint_about<double>(parameter, text);
    });
    return result;
}

/// A list of nothing is a slip, such as a variable of a script that is not set.
CLI::Validator list_check(const Parameter& parameter) {
    CLI::Validator result("");
    result.operation([&parameter](const std::string& text) {
        return text.empty() ? fmt::format("expected {}, found nothing", parameter.value) : std::string();
    });
    return result;
}

std::string help_of(const Parameter& parameter) {
    std::string help(parameter.help);
    if (parameter.readers.empty()) return help;
    help.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(help.front())));
    std::string readers;
    for (const auto name : words_of(parameter.readers)) {
        readers += fmt::format("{}{}", readers.empty() ? "" : ", ", name == "classical" ? "classical methods" : name);
    }
    return fmt::format("{}: {}", readers, help);
}

}  // namespace

std::vector<std::string> choices_of(const Parameter& parameter) {
    if (parameter.name == "problem") return names_of(problem_kinds());
    if (parameter.name == "method") return names_of(solve_methods());
    if (parameter.name == "metric") return metric_names();
    const auto words = words_of(parameter.choices);
    return {words.begin(), words.end()};
}

std::string flag_names(const Parameter& parameter) {
    constexpr std::array<std::pair<std::string_view, const char*>, 3> letters = {
        {{"problem", "-p,"}, {"degree", "-d,"}, {"method", "-m,"}}};
    std::string names;
    for (const auto& [name, letter] : letters) {
        if (name == parameter.name) names = letter;
    }
    return names + spelled(parameter.name, Spelling::flag);
}

CLI::Option* dressed(CLI::Option* option, const Parameter& parameter) {
    option->description(help_of(parameter))->type_name(std::string(parameter.value));
    if (!parameter.usual.empty()) option->default_str(std::string(parameter.usual));
    const bool is_number = parameter.type == ParameterType::whole || parameter.type == ParameterType::number;
    if (is_number) option->check(range_check(parameter));
    const bool specifies = parameter.group == ParameterGroup::limits || parameter.group == ParameterGroup::vertices;
    if (specifies && !is_number) option->check(list_check(parameter));
    if (const auto choices = choices_of(parameter); !choices.empty() && parameter.choices.empty()) {
        option->check(CLI::IsMember(choices));
    }
    return option;
}

}  // namespace neuroprim::cli
