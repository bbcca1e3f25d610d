#include <fmt/format.h>

#include <algorithm>

#include "formats/read/reader.hpp"
#include "formats/text/csv_numbers.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// Whether n rows of n numbers look like the weights of n vertices, and not like points or edges.
bool looks_like_weights(const std::vector<double>& rows, std::size_t n) {
    bool no_loops = true;
    bool symmetric = true;
    for (std::size_t u = 0; u < n; ++u) {
        no_loops = no_loops && rows[u * n + u] == 0;
        for (std::size_t v = 0; v < u; ++v) symmetric = symmetric && rows[u * n + v] == rows[v * n + u];
    }
    return n == 3 ? no_loops && symmetric : no_loops || symmetric;  // three edges are three numbers in three rows too
}

/// The numbers of a table that has as many rows as columns; empty when it is no such table. Reads one row too many at
/// most.
std::vector<double> square_table(CsvScanner& csv) {
    std::vector<double> rows;
    std::size_t n = 0;
    std::size_t count = 0;
    for (; csv.next_row(); ++count) {
        const auto cells = without_empty_end(csv.cells());
        if (count == 0) n = cells.size();
        if (cells.size() != n || count == n) return {};
        for (const Token& cell : cells) {
            if (!is_meant_as_number(cell.value)) return {};
            rows.push_back(
                parse_number(with_decimal_point(cell.value).value_or(std::string(cell.value))).value_or(-1));
        }
    }
    return count == n ? rows : std::vector<double>{};
}

Match recognises_matrix(const Sniffed& sniffed) {
    constexpr std::size_t fewest = 3;
    if (sniffed.numbers &&
        (sniffed.numbers->per_line < fewest || sniffed.numbers->per_line != sniffed.numbers->lines)) {
        return Match::no;
    }
    try {
        CsvScanner csv(sniffed.text);
        const auto rows = square_table(csv);
        std::size_t n = 0;
        while (n * n < rows.size()) ++n;
        if (n < fewest) return Match::no;
        // Nothing else has that many columns of numbers with a separator between them.
        const bool only_reading = n > fewest && !sniffed.numbers;
        return only_reading || looks_like_weights(rows, n) ? Match::certain : Match::no;
    } catch (const InputError&) {
        return Match::no;
    }
}

std::vector<Instance> read_plain_matrix(const Text& text) {
    CsvScanner csv(text);
    bool more = csv.next_row();
    const std::size_t n = without_empty_end(csv.cells()).size();
    CsvNumbers numbers(csv);
    std::vector<double> rows;
    std::vector<double> lower;
    std::size_t u = 0;
    for (; more; more = csv.next_row(), ++u) {
        if (u == n) text.fail(csv.cells().front().at, fmt::format("expected {0} rows of {0} weights, found more", n));
        check_width(csv, n);
        for (std::size_t v = 0; v < n; ++v) {
            const Token& cell = csv.cells()[v];
            if (!is_meant_as_number(cell.value)) fail_expected(text, cell, "a weight");
            const bool no_edge = same_word(cell.value, "inf") || u == v;
            rows.push_back(no_edge ? Weights::infinity : numbers.weight(cell));
            if (v >= u) continue;
            const double mirrored = rows[v * n + u];
            if (mirrored != rows.back()) {
                text.fail(cell.at, fmt::format("the matrix is not symmetric: {}-{} is {}, but {}-{} is {}", v, u,
                                               mirrored, u, v, rows.back()));
            }
            lower.push_back(rows.back());
        }
    }
    if (u < n) text.fail(text.content.size(), fmt::format("expected {0} rows of {0} weights, found {1}", n, u));
    Instance instance;
    instance.name = text.name;
    instance.weights = Weights::from_lower_triangle(checked_size(text, n), lower);
    return just(std::move(instance));
}

}  // namespace

extern const Reader matrix_reader = {"matrix", "a plain square matrix of weights", recognises_matrix,
                                     read_plain_matrix};

}  // namespace neuroprim::formats
