#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace neuroprim::cli {

namespace {

/// The number that makes up the whole text, a plus before it included.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Says what was expected unless `fits`.
template <class Number, class Fits>
CLI::Validator validator(std::string expected, Fits fits) {
    CLI::Validator result("");  // nothing to add to the help
    result.operation([expected = std::move(expected), fits](std::string& text) {
        const auto value = number_of<Number>(text);
        return value && fits(*value) ? std::string() : fmt::format("expected {}, found \"{}\"", expected, text);
    });
    return result;
}

}  // namespace

CLI::Validator is_whole(std::uint64_t least, std::uint64_t most) {
    return validator<std::uint64_t>(fmt::format("a whole number from {} to {}", least, most),
                                    [=](std::uint64_t value) { return value >= least && value <= most; });
}

CLI::Validator is_number(double least, double most) {
    return validator<double>(fmt::format("a number from {:g} to {:g}", least, most),
                             [=](double value) { return value >= least && value <= most; });
}

CLI::Validator is_positive(double most) {
    return validator<double>(most == std::numeric_limits<double>::max()
                                 ? "a number above 0"
                                 : fmt::format("a number above 0, at most {:g}", most),
                             [=](double value) { return value > 0 && value <= most; });
}

}  // namespace neuroprim::cli
