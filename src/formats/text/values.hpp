#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/text/text.hpp"
#include "neuroprim/metric.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

/// What words of a file may stand for. Each function turns a token into a value or fails with its line.
namespace neuroprim::formats {

/// No coordinate, weight or requirement is larger, so that sums and products of them stay finite.
inline constexpr double largest_magnitude = 1e100;

/// A decimal number, whatever the locale; infinite when it is too large for a double. Not "nan", not "inf".
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// `0.5` for `0,5`; nothing where a comma cannot be a decimal one.
[[nodiscard]] std::optional<std::string> with_decimal_point(std::string_view text);

/// `expected "a coordinate", found …` with what stands there instead.
[[noreturn]] void fail_expected(const Text& text, const Token& token, std::string_view expected);

[[nodiscard]] double to_number(const Text& text, const Token& token, std::string_view expected = "a number");
[[nodiscard]] std::int64_t to_integer(const Text& text, const Token& token, std::string_view expected);

/// At least zero.
[[nodiscard]] double to_weight(const Text& text, const Token& token, std::string_view expected = "a weight");

/// A number of things, at least zero.
[[nodiscard]] std::size_t to_count(const Text& text, const Token& token, std::string_view expected);

/// At least one vertex, and few enough that Vertex can number them.
[[nodiscard]] Vertex to_vertex_count(const Text& text, const Token& token);

/// A vertex of a file that counts from `first`, counted from zero.
[[nodiscard]] Vertex to_vertex(const Text& text, const Token& token, Vertex n, Vertex first);

/// At least one.
[[nodiscard]] int to_degree_limit(const Text& text, const Token& token);

/// 0/1, true/false, yes/no.
[[nodiscard]] bool to_flag(const Text& text, const Token& token);

/// Any text that is UTF-8, as everything that is written later must be.
[[nodiscard]] std::string to_name(const Text& text, const Token& token);

/// Fails on a latitude beyond ±90° or a longitude beyond ±360° where the metric measures the globe.
void check_position(const Text& text, std::size_t at, Point point, Metric metric);

/// Fails on an instance without vertices, or with more than Vertex can number.
Vertex checked_size(const Text& text, std::size_t n);

/// Fails on an edge from a vertex to itself; `first` is the file's number of vertex 0.
void check_no_loop(const Text& text, std::size_t at, Vertex u, Vertex v, Vertex first);

/// A sparse graph costs memory per vertex, so a number of vertices that its edges do not come near is taken for a
/// mistake: more than a million vertices must be without an edge.
[[nodiscard]] bool is_plausible_size(std::int64_t n, std::size_t edges);
void check_plausible_size(const Text& text, std::size_t at, Vertex n, std::size_t edges);

/// Turns the upper triangle of a symmetric matrix, row by row and without its diagonal, into the lower one.
[[nodiscard]] std::vector<double> lower_from_upper(const std::vector<double>& upper, Vertex n);

/// Collects the terminals, or what else `what` says, among n vertices, each at most once.
class Terminals {
public:
    explicit Terminals(std::string_view what = "a terminal") : what_(what) {}

    void add(const Text& text, std::size_t at, Vertex v, Vertex first);

    /// In increasing order.
    [[nodiscard]] std::vector<Vertex> sorted() &&;

private:
    std::string_view what_;
    std::vector<Vertex> vertices_;
    std::vector<bool> seen_;
};

}  // namespace neuroprim::formats
