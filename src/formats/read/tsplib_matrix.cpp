#include "formats/read/tsplib_matrix.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

using Part = MatrixLayout::Part;

constexpr std::array<std::pair<std::string_view, MatrixLayout>, 9> layouts = {{
    {"FULL_MATRIX", {Part::full, true}},
    {"UPPER_ROW", {Part::upper, false}},
    {"LOWER_ROW", {Part::lower, false}},
    {"UPPER_DIAG_ROW", {Part::upper, true}},
    {"LOWER_DIAG_ROW", {Part::lower, true}},
    {"UPPER_COL", {Part::lower, false}},
    {"LOWER_COL", {Part::upper, false}},
    {"UPPER_DIAG_COL", {Part::lower, true}},
    {"LOWER_DIAG_COL", {Part::upper, true}},
}};

double next_weight(Scanner& scanner) {
    return to_weight(scanner.text(), scanner.word());
}

void skip_diagonal(Scanner& scanner) {
    static_cast<void>(to_number(scanner.text(), scanner.word(), "a weight"));
}

std::vector<double> read_full(Scanner& scanner, Vertex n) {
    const Text& text = scanner.text();
    std::vector<double> rows;  // grows with what is read, since n is only what the file claims
    std::vector<double> lower;
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = 0; v < n; ++v) {
            const Token word = scanner.word();
            rows.push_back(u == v ? to_number(text, word, "a weight") : to_weight(text, word));
            if (v >= u) continue;
            const double mirrored =
                rows[static_cast<std::size_t>(v) * static_cast<std::size_t>(n) + static_cast<std::size_t>(u)];
            if (mirrored != rows.back()) {
                text.fail(word.at, fmt::format("the matrix is not symmetric: {}-{} is {}, but {}-{} is {}", v + 1,
                                               u + 1, mirrored, u + 1, v + 1, rows.back()));
            }
            lower.push_back(rows.back());
        }
    }
    return lower;
}

std::vector<double> read_lower(Scanner& scanner, Vertex n, bool diagonal) {
    std::vector<double> lower;
    for (Vertex u = 0; u < n; ++u) {
        for (Vertex v = 0; v < u; ++v) lower.push_back(next_weight(scanner));
        if (diagonal) skip_diagonal(scanner);
    }
    return lower;
}

std::vector<double> read_upper(Scanner& scanner, Vertex n, bool diagonal) {
    std::vector<double> upper;
    for (Vertex u = 0; u < n; ++u) {
        if (diagonal) skip_diagonal(scanner);
        for (Vertex v = u + 1; v < n; ++v) upper.push_back(next_weight(scanner));
    }
    return lower_from_upper(upper, n);
}

}  // namespace

MatrixLayout to_matrix_layout(const Text& text, const Token& name) {
    std::string known;
    for (const auto& [layout_name, layout] : layouts) {
        if (same_word(name.value, layout_name)) return layout;
        known += (known.empty() ? "" : ", ") + std::string(layout_name);
    }
    fail_expected(text, name, fmt::format("an EDGE_WEIGHT_FORMAT ({})", known));
}

std::vector<double> read_matrix(Scanner& scanner, Vertex n, MatrixLayout layout) {
    switch (layout.part) {
        case Part::full:
            return read_full(scanner, n);
        case Part::upper:
            return read_upper(scanner, n, layout.diagonal);
        case Part::lower:
            break;
    }
    return read_lower(scanner, n, layout.diagonal);
}

}  // namespace neuroprim::formats
