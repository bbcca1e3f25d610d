#include "formats/read/ocst_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

/// Reads n rows of n numbers and keeps the lower triangle. Fails where `both(lower, upper)` has no value.
template <class Both>
std::vector<double> read_square(Scanner& scanner, Vertex n, std::string_view what, Both&& both) {
    const Text& text = scanner.text();
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> rows;  // grows with what is there, whatever n says
    std::vector<double> lower;
    for (std::size_t u = 0; u < size; ++u) {
        for (std::size_t v = 0; v < size; ++v) {
            const Token word = scanner.word();
            rows.push_back(to_weight(text, word, what));
            if (v >= u) continue;
            const double mirrored = rows[v * size + u];
            const auto value = both(rows.back(), mirrored);
            if (!value) {
                text.fail(word.at, fmt::format("the matrix is not symmetric: {}-{} is {}, but {}-{} is {}", v, u,
                                               mirrored, u, v, rows.back()));
            }
            lower.push_back(*value);
        }
    }
    return lower;
}

std::optional<double> if_equal(double a, double b) {
    return a == b ? std::optional(a) : std::nullopt;
}

std::optional<double> if_equal_or_one(double a, double b) {
    return a == b || a == 0 || b == 0 ? std::optional(std::max(a, b)) : std::nullopt;
}

}  // namespace

bool holds_two_matrices(const NumberShape& numbers) {
    if (numbers.head[0] != 1) return false;
    const auto n = parse_integer(numbers.first[0]);
    if (!n || *n < 2 || *n > static_cast<std::int64_t>(numbers.numbers)) return false;
    const auto size = static_cast<std::size_t>(*n);
    return size <= numbers.numbers / size && numbers.numbers == 1 + 2 * size * size;
}

Instance read_two_matrices(const Text& text) {
    Scanner scanner(text);
    const Vertex n = to_vertex_count(text, scanner.word());
    Instance instance;
    instance.name = text.name;
    const auto lengths = read_square(scanner, n, "a length", if_equal);
    instance.requirements = read_square(scanner, n, "a requirement", if_equal_or_one);
    scanner.expect_end(fmt::format("expected the end of the file after two matrices of {0} rows and columns", n));
    instance.weights = Weights::from_lower_triangle(n, lengths);
    return instance;
}

}  // namespace neuroprim::formats
