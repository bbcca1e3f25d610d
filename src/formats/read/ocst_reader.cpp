#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/read/edge_list.hpp"
#include "formats/read/ocst_matrices.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

std::size_t pairs(std::int64_t n) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(n - 1) / 2;
}

bool counts_fit(const Sniffed& sniffed, std::int64_t n, std::int64_t m) {
    const auto most = static_cast<std::int64_t>(sniffed.numbers->numbers);
    if (n > std::min<std::int64_t>(most, std::numeric_limits<Vertex>::max()) || m > most) return false;
    return sniffed.numbers->numbers == 2 + 3 * static_cast<std::size_t>(m) + pairs(n);
}

/// A file that only begins like one (`n m`, then an edge) is taken for one too: better to hear that it is cut off
/// than to get its numbers as points.
Match recognises_ocst(const Sniffed& sniffed) {
    if (!sniffed.numbers) return Match::no;
    if (holds_two_matrices(*sniffed.numbers)) return Match::certain;
    if (sniffed.numbers->head[0] != 2 || sniffed.numbers->per_line == 2) return Match::no;
    const auto n = parse_integer(sniffed.numbers->first[0]);
    const auto m = parse_integer(sniffed.numbers->first[1]);
    if (!n || !m || *n < 1 || *m < 1) return Match::no;
    return sniffed.numbers->head[1] == 3 || counts_fit(sniffed, *n, *m) ? Match::certain : Match::no;
}

std::vector<WeightedEdge> read_edges(Scanner& scanner, Vertex n, std::size_t m) {
    const Text& text = scanner.text();
    std::vector<WeightedEdge> edges;
    for (std::size_t k = 0; k < m; ++k) {
        const Token from = scanner.word();
        const Vertex u = to_vertex(text, from, n, 0);
        const Vertex v = to_vertex(text, scanner.word(), n, 0);
        check_no_loop(text, from.at, u, v, 0);
        edges.push_back({u, v, to_weight(text, scanner.word(), "a length")});
    }
    return edges;
}

/// The file lists the upper triangle row by row: (0,1), (0,2), …, (0,n−1), (1,2), …
std::vector<double> read_requirements(Scanner& scanner, Vertex n) {
    const Text& text = scanner.text();
    std::vector<double> upper;
    const std::size_t count = pairs(n);
    while (upper.size() < count) {
        const Token word = scanner.word();
        if (word.value.empty()) {
            text.fail(word.at, fmt::format("expected {} requirements, found {}", count, upper.size()));
        }
        upper.push_back(to_weight(text, word, "a requirement"));
    }
    return lower_from_upper(upper, n);
}

std::vector<Instance> read_ocst(const Text& text) {
    Scanner scanner(text);
    Scanner first_line(scanner);
    static_cast<void>(first_line.word());
    if (first_line.word_in_line().value.empty()) return just(read_two_matrices(text));
    const Vertex n = to_vertex_count(text, scanner.word());
    const std::size_t m = to_count(text, scanner.word(), "a number of edges");
    auto edges = read_edges(scanner, n, m);
    Instance instance;
    instance.name = text.name;
    instance.requirements = read_requirements(scanner, n);
    instance.weights = graph_of(text, n, std::move(edges), 0);
    scanner.expect_end(fmt::format("expected the end of the file after {} requirements", pairs(n)));
    return just(std::move(instance));
}

}  // namespace

extern const Reader ocst_reader = {"ocst", "communication trees: lengths and requirements", recognises_ocst,
                                   read_ocst};

}  // namespace neuroprim::formats
