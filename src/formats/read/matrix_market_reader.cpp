#include <fmt/format.h>

#include "formats/read/edge_list.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::string_view matrix_market_mark = "%%MatrixMarket";

Match recognises_matrix_market(const Sniffed& sniffed) {
    return same_word(sniffed.first_line.value.substr(0, matrix_market_mark.size()), matrix_market_mark)
               ? Match::certain
               : Match::no;
}

struct MatrixMarketHeader {
    bool has_values = true;  // a pattern has none: each edge counts 1
    bool is_symmetric = false;
};

MatrixMarketHeader read_market_header(Scanner& scanner) {
    const Text& text = scanner.text();
    const auto word_of = [&](std::initializer_list<std::string_view> known, std::string_view expected) {
        const Token word = scanner.word_in_line();
        for (const std::string_view one : known) {
            if (same_word(word.value, one)) return one;
        }
        fail_expected(text, word, expected);
    };
    const Token mark = scanner.word_in_line();
    if (!same_word(mark.value, matrix_market_mark)) fail_expected(text, mark, matrix_market_mark);
    word_of({"matrix"}, "the word matrix");
    word_of({"coordinate"}, "the word coordinate: dense matrices (array) are no sparse graphs");
    const auto field = word_of({"real", "integer", "pattern", "double"}, "real, integer or pattern");
    const auto symmetry = word_of({"symmetric", "general"}, "symmetric or general");
    scanner.rest_of_line();
    return {field != "pattern", symmetry == "symmetric"};
}

/// The next line that is no remark.
Token content_line(Scanner& scanner) {
    Token line = scanner.line();
    while (line.value.starts_with('%')) line = scanner.line();
    return line;
}

std::vector<Instance> read_matrix_market(const Text& text) {
    Scanner scanner(text);
    const MatrixMarketHeader header = read_market_header(scanner);
    const Token sizes = content_line(scanner);
    Scanner numbers(text, sizes.at);
    const Vertex n = to_vertex_count(text, numbers.word_in_line());
    const Token columns = numbers.word_in_line();
    if (to_vertex_count(text, columns) != n)
        text.fail(columns.at, "a graph has a square matrix: as many columns as rows");
    const std::size_t entries = to_count(text, numbers.word_in_line(), "a number of entries");
    check_plausible_size(text, sizes.at, n, entries);
    std::vector<WeightedEdge> edges;
    edges.reserve(std::min(entries, scanner.bytes_left() / 4 + 1));
    for (std::size_t k = 0; k < entries; ++k) {
        const Token line = content_line(scanner);
        if (line.value.empty()) text.fail(fmt::format("{} entries are announced, but there are {}", entries, k));
        Scanner row(text, line.at);
        const Token from = row.word_in_line();
        const Vertex u = to_vertex(text, from, n, 1);
        const Vertex v = to_vertex(text, row.word_in_line(), n, 1);
        // The diagonal is no edge, as in other matrices: whatever it holds.
        const Token value = header.has_values ? row.word_in_line() : Token{};
        if (header.has_values && u == v) (void)to_number(text, value);
        if (const Token more = row.word_in_line(); !more.value.empty())
            fail_expected(text, more, "the end of the line");
        if (header.is_symmetric && u < v) {
            text.fail(from.at, "a symmetric matrix has its entries on or below the diagonal");
        }
        if (u != v) edges.push_back({u, v, header.has_values ? to_weight(text, value) : 1});
    }
    if (const Token more = content_line(scanner); !more.value.empty()) {
        fail_expected(text, more, fmt::format("the end of the text after {} entries", entries));
    }
    Instance instance;
    instance.name = text.name;
    instance.weights = graph_of(text, n, std::move(edges), 1);
    return just(std::move(instance));
}

}  // namespace

extern const Reader matrix_market_reader = {"mtx", "Matrix Market", recognises_matrix_market, read_matrix_market};

}  // namespace neuroprim::formats
