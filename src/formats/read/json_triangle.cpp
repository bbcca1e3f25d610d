#include "formats/read/json_triangle.hpp"

#include <fmt/format.h>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

struct Rows {
    std::vector<double> values;        // all rows, one after the other
    std::vector<std::size_t> lengths;  // (n)
    std::vector<std::size_t> at;       // (n) where each row stands in the text
};

Rows read_rows(JsonCursor& cursor, std::string_view what, std::optional<double> missing) {
    Rows rows;
    cursor.array([&] {
        const std::size_t before = rows.values.size();
        rows.at.push_back(cursor.at());
        cursor.array([&] {
            const bool is_missing = missing && cursor.null();
            rows.values.push_back(is_missing ? *missing : to_weight(cursor.text(), cursor.number(what), what));
        });
        rows.lengths.push_back(rows.values.size() - before);
    });
    return rows;
}

std::vector<double> lower_of_full(const Text& text, const Rows& rows) {
    const std::size_t n = rows.lengths.size();
    std::vector<double> lower;
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < u; ++v) {
            const double there = rows.values[v * n + u];
            const double back = rows.values[u * n + v];
            if (there != back) {
                text.fail(rows.at[u], fmt::format("the matrix is not symmetric: {}-{} is {}, but {}-{} is {}", v, u,
                                                  there, u, v, back));
            }
            lower.push_back(back);
        }
    }
    return lower;
}

/// Row i has i + skipped numbers.
std::vector<double> lower_of_triangle(const Rows& rows, std::size_t skipped) {
    std::vector<double> lower;
    auto row = rows.values.begin();
    for (std::size_t u = 0; u < rows.lengths.size(); ++u) {
        const auto length = static_cast<std::ptrdiff_t>(u);
        lower.insert(lower.end(), row, row + length);
        row += length + static_cast<std::ptrdiff_t>(skipped);
    }
    return lower;
}

}  // namespace

Triangle read_triangle(JsonCursor cursor, std::string_view what, std::optional<double> missing) {
    const Text& text = cursor.text();
    const Rows rows = read_rows(cursor, what, missing);
    const std::size_t n = rows.lengths.size();
    Triangle triangle;
    triangle.n = checked_size(text, n);

    const std::size_t first = rows.lengths[0];
    const bool full = first == n;
    if (!full && first > 1) {
        text.fail(rows.at[0], fmt::format("expected {0} rows of {0} numbers each, or rows that grow by one from 0 or "
                                          "from 1; the first has {1}",
                                          n, first));
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t expected = full ? n : first + i;
        if (rows.lengths[i] != expected) {
            text.fail(rows.at[i],
                      fmt::format("expected {} numbers in row {}, found {}", expected, i, rows.lengths[i]));
        }
    }
    triangle.lower = full ? lower_of_full(text, rows) : lower_of_triangle(rows, first);
    return triangle;
}

}  // namespace neuroprim::formats
