#include "formats/text/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

namespace {

/// from_chars knows no plus sign.
std::string_view without_plus(std::string_view text) {
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    return plus ? text.substr(1) : text;
}

/// A number that from_chars calls out of range is either huge or as good as zero.
double out_of_range(std::string_view digits, bool negative) {
    const bool small_exponent =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    const bool small_fraction = digits.find_first_of("123456789") > digits.find('.');
    const double size = small_exponent || small_fraction ? 0 : std::numeric_limits<double>::infinity();
    return negative ? -size : size;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
    text = without_plus(text);
    const bool negative = !text.empty() && text[0] == '-';
    const char first = text.size() > (negative ? 1U : 0U) ? text[negative ? 1 : 0] : '\0';
    // Keeps out what from_chars would take besides digits: inf and nan.
    if (first != '.' && (first < '0' || first > '9')) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) return out_of_range(text, negative);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    text = without_plus(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::string> with_decimal_point(std::string_view text) {
    const auto is_digit_at = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || comma == 0 || text.find('.') != std::string_view::npos)
        return std::nullopt;
    if (!is_digit_at(comma - 1) || !is_digit_at(comma + 1)) return std::nullopt;
    std::string result(text);
    result[comma] = '.';
    if (!parse_number(result)) return std::nullopt;
    return result;
}

void fail_expected(const Text& text, const Token& token, std::string_view expected) {
    const std::string found = !token.value.empty()              ? in_quotes(token.value)
                              : token.at >= text.content.size() ? "the end of the file"
                                                                : "nothing";
    text.fail(token.at, fmt::format("expected {}, found {}", expected, found));
}

double to_number(const Text& text, const Token& token, std::string_view expected) {
    const auto value = parse_number(token.value);
    if (const auto decimal = value ? std::nullopt : with_decimal_point(token.value)) {
        text.fail(token.at, fmt::format("expected {}, found {}: write {}, with a decimal point", expected,
                                        in_quotes(token.value), *decimal));
    }
    if (!value) fail_expected(text, token, expected);
    if (std::abs(*value) > largest_magnitude) {
        text.fail(token.at, fmt::format("{} is too large: numbers up to {:g} are understood", in_quotes(token.value),
                                        largest_magnitude));
    }
    return *value;
}

std::int64_t to_integer(const Text& text, const Token& token, std::string_view expected) {
    const auto value = parse_integer(token.value);
    if (!value) fail_expected(text, token, expected);
    return *value;
}

double to_weight(const Text& text, const Token& token, std::string_view expected) {
    const double value = to_number(text, token, expected);
    if (value < 0) fail_expected(text, token, fmt::format("{} of at least 0", expected));
    return value;
}

std::size_t to_count(const Text& text, const Token& token, std::string_view expected) {
    const std::int64_t value = to_integer(text, token, expected);
    if (value < 0) fail_expected(text, token, expected);
    return static_cast<std::size_t>(value);
}

Vertex to_vertex_count(const Text& text, const Token& token) {
    const std::int64_t value = to_integer(text, token, "a number of vertices");
    if (value < 0) fail_expected(text, token, "a number of vertices");
    if (value == 0) text.fail(token.at, "an instance needs at least one vertex");
    if (value > std::numeric_limits<Vertex>::max() - 1) {
        text.fail(token.at, fmt::format("{} vertices are too many: up to {} can be numbered", value,
                                        std::numeric_limits<Vertex>::max() - 1));
    }
    return static_cast<Vertex>(value);
}

Vertex to_vertex(const Text& text, const Token& token, Vertex n, Vertex first) {
    const auto value = parse_integer(token.value);
    if (!value || *value < first || *value - first >= n) {
        fail_expected(text, token, fmt::format("a vertex from {} to {}", first, n - 1 + first));
    }
    return static_cast<Vertex>(*value - first);
}

int to_degree_limit(const Text& text, const Token& token) {
    const std::int64_t value = to_integer(text, token, "a degree limit");
    if (value < 1) fail_expected(text, token, "a degree limit of at least 1");
    return static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max()));
}

bool to_flag(const Text& text, const Token& token) {
    for (const auto* word : {"1", "true", "yes"}) {
        if (same_word(token.value, word)) return true;
    }
    for (const auto* word : {"0", "false", "no"}) {
        if (same_word(token.value, word)) return false;
    }
    fail_expected(text, token, "0/1, true/false or yes/no");
}

std::string to_name(const Text& text, const Token& token) {
    if (token.value.empty()) fail_expected(text, token, "a name");
    if (!is_utf8(token.value))
        text.fail(token.at,
                  fmt::format("name {} is not valid UTF-8: save the file as UTF-8", in_quotes(token.value)));
    return std::string(token.value);
}

void check_position(const Text& text, std::size_t at, Point point, Metric metric) {
    if (metric != Metric::geo && metric != Metric::great_circle) return;
    const double latitude = metric == Metric::geo ? point.x : point.y;
    const double longitude = metric == Metric::geo ? point.y : point.x;
    if (std::abs(latitude) > 90) text.fail(at, fmt::format("latitude {} is outside -90 to 90", latitude));
    if (std::abs(longitude) > 360) text.fail(at, fmt::format("longitude {} is outside -360 to 360", longitude));
}

Vertex checked_size(const Text& text, std::size_t n) {
    if (n == 0) text.fail("an instance needs at least one vertex");
    if (n > static_cast<std::size_t>(std::numeric_limits<Vertex>::max() - 1)) {
        text.fail(fmt::format("{} vertices are too many", n));
    }
    return static_cast<Vertex>(n);
}

void check_no_loop(const Text& text, std::size_t at, Vertex u, Vertex v, Vertex first) {
    if (u == v) text.fail(at, fmt::format("an edge joins vertex {} to itself", u + first));
}

bool is_plausible_size(std::int64_t n, std::size_t edges) {
    constexpr std::int64_t most_without_edge = 1'000'000;
    const bool fits = n < std::numeric_limits<Vertex>::max();
    if (n <= most_without_edge) return true;
    return fits && edges >= static_cast<std::size_t>((n - most_without_edge + 1) / 2);
}

void check_plausible_size(const Text& text, std::size_t at, Vertex n, std::size_t edges) {
    if (!is_plausible_size(n, edges)) {
        text.fail(at, fmt::format("{} vertices, but only {} edges: nearly all of them would be alone", n, edges));
    }
}

std::vector<double> lower_from_upper(const std::vector<double>& upper, Vertex n) {
    std::vector<double> lower(upper.size());
    auto next = upper.begin();
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = u + 1; v < n; ++v) lower[pair_index(u, v)] = *next++;
    }
    return lower;
}

void Terminals::add(const Text& text, std::size_t at, Vertex v, Vertex first) {
    const auto place = static_cast<std::size_t>(v);
    if (place >= seen_.size()) seen_.resize(place + 1);
    if (seen_[place]) text.fail(at, fmt::format("vertex {} is named {} twice", v + first, what_));
    seen_[place] = true;
    vertices_.push_back(v);
}

std::vector<Vertex> Terminals::sorted() && {
    std::sort(vertices_.begin(), vertices_.end());
    return std::move(vertices_);
}

}  // namespace neuroprim::formats
