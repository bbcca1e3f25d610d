#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "formats/read/edge_list.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// Walks through the lines that are no remarks. A blank one counts: it is a vertex without edges.
class MetisLines {
public:
    explicit MetisLines(const Text& text) : text_(text) {}

    /// Nothing at the end of the text.
    std::optional<Token> next() {
        while (at_ < text_.content.size()) {
            const std::size_t begin = at_;
            std::size_t end = begin;
            while (end < text_.content.size() && !is_line_end(text_.content[end])) ++end;
            at_ = end + 1;
            const bool is_pair =
                end + 1 < text_.content.size() && text_.content[end] == '\r' && text_.content[end + 1] == '\n';
            if (is_pair) ++at_;
            const Token line = trimmed(Token{text_.content.substr(begin, end - begin), begin});
            if (!line.value.starts_with('%')) return line;
        }
        return std::nullopt;
    }

private:
    const Text& text_;
    std::size_t at_ = 0;
};

/// Calls `visit(word)` for each word of a line.
template <class Visit>
void for_each_word(const Token& line, Visit&& visit) {
    std::size_t at = 0;
    while (at < line.value.size()) {
        while (at < line.value.size() && is_space(line.value[at])) ++at;
        std::size_t end = at;
        while (end < line.value.size() && !is_space(line.value[end])) ++end;
        if (end > at) visit(Token{line.value.substr(at, end - at), line.at + at});
        at = end;
    }
}

struct MetisHeader {
    Vertex n = 0;
    std::size_t m = 0;
    bool has_sizes = false;          // the first number of each line
    std::size_t vertex_weights = 0;  // that follow it
    bool has_edge_weights = false;
    std::size_t at = 0;
};

MetisHeader read_metis_header(const Text& text, MetisLines& lines) {
    std::optional<Token> line = lines.next();
    while (line && line->value.empty()) line = lines.next();
    if (!line) text.fail("expected the numbers of vertices and edges");
    std::vector<Token> words;
    for_each_word(*line, [&](const Token& word) { words.push_back(word); });
    if (words.size() < 2 || words.size() > 4) {
        text.fail(line->at,
                  "expected the numbers of vertices and edges, perhaps with the format and the number of "
                  "weights of a vertex");
    }
    MetisHeader header;
    header.at = line->at;
    header.n = to_vertex_count(text, words[0]);
    header.m = to_count(text, words[1], "a number of edges");
    if (words.size() > 2) {
        const std::string_view digits = words[2].value;
        const bool is_format = digits.size() <= 3 && digits.find_first_not_of("01") == std::string_view::npos;
        if (!is_format) fail_expected(text, words[2], "a format of three digits, each 0 or 1");
        const auto digit = [&](std::size_t from_last) {
            return digits.size() > from_last && digits[digits.size() - 1 - from_last] == '1';
        };
        header.has_edge_weights = digit(0);
        header.vertex_weights = digit(1) ? 1 : 0;
        header.has_sizes = digit(2);
    }
    if (words.size() > 3) {
        const std::size_t weights = to_count(text, words[3], "a number of weights");
        if (header.vertex_weights > 0) header.vertex_weights = weights;
    }
    return header;
}

std::vector<Instance> read_metis(const Text& text) {
    MetisLines lines(text);
    const MetisHeader header = read_metis_header(text, lines);
    check_plausible_size(text, header.at, header.n, header.m);
    if (header.vertex_weights > 0 || header.has_sizes) {
        text.warn(header.at, "weights and sizes of vertices are passed over: only edges have a weight here");
    }
    const std::size_t before = (header.has_sizes ? 1U : 0U) + header.vertex_weights;
    std::vector<WeightedEdge> edges;
    edges.reserve(std::min(2 * header.m, text.content.size() / 2 + 1));
    for (Vertex u = 0; u < header.n; ++u) {
        const auto line = lines.next();
        if (!line) text.fail(fmt::format("{} vertices are announced, but there are lines for {}", header.n, u));
        std::size_t count = 0;
        Vertex v = no_vertex;
        for_each_word(*line, [&](const Token& word) {
            if (count++ < before) {
                (void)to_number(text, word);
            } else if (!header.has_edge_weights) {
                v = to_vertex(text, word, header.n, 1);
                check_no_loop(text, word.at, u, v, 1);
                edges.push_back({u, v, 1});
            } else if ((count - 1 - before) % 2 == 0) {
                v = to_vertex(text, word, header.n, 1);
                check_no_loop(text, word.at, u, v, 1);
            } else {
                edges.push_back({u, v, to_weight(text, word)});
            }
        });
        if (count < before || (header.has_edge_weights && (count - before) % 2 != 0)) {
            text.fail(line->at, fmt::format("the line of vertex {} ends too early", u + 1));
        }
    }
    while (const auto more = lines.next()) {
        if (!more->value.empty()) fail_expected(text, *more, fmt::format("the end after {} vertices", header.n));
    }
    if (edges.size() != 2 * header.m) {
        text.fail(header.at, fmt::format("{} edges are announced, each to stand at both ends, but there are {} ends",
                                         header.m, edges.size()));
    }
    Instance instance;
    instance.name = text.name;
    instance.weights = graph_of(text, header.n, std::move(edges), 1);
    return just(std::move(instance));
}

/// Numbers may be many things, so that all of the graph must fit: counts, ranges, and both ends of every edge.
Match recognises_metis(const Sniffed& sniffed) {
    const bool begins_with_remark =
        sniffed.first_line.value.starts_with('%') && !sniffed.first_line.value.starts_with("%%");
    if (!begins_with_remark && !sniffed.numbers) return Match::no;
    if (sniffed.numbers && (sniffed.numbers->head[0] < 2 || sniffed.numbers->head[0] > 4)) return Match::no;
    try {
        Text quiet = sniffed.text;
        quiet.on_warning = {};
        MetisLines lines(quiet);
        const MetisHeader header = read_metis_header(quiet, lines);
        const auto enough = static_cast<std::size_t>(header.n);
        if (!begins_with_remark && sniffed.numbers->lines > enough + 1) return Match::no;
        (void)read_metis(quiet);
        return Match::certain;
    } catch (const InputError&) {
        return begins_with_remark ? Match::possible : Match::no;
    }
}

}  // namespace

extern const Reader metis_reader = {"metis", "METIS graph", recognises_metis, read_metis};

}  // namespace neuroprim::formats
