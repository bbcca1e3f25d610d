#include <fmt/format.h>

#include "formats/reader.hpp"
#include "formats/scanner.hpp"
#include "formats/values.hpp"

namespace neuroprim::formats {

namespace {

/// Whether the counts in the file, followed through its words, lead exactly to its end.
bool counts_fit(const Clues& clues, std::int64_t problems) {
    Scanner scanner(clues.text);
    scanner.word();
    std::size_t left = clues.numbers->numbers - 1;
    for (std::int64_t k = 0; k < problems; ++k) {
        const auto n = parse_integer(scanner.word().value);
        if (!n || *n < 1 || left == 0 || static_cast<std::size_t>(*n) > (left - 1) / 2) return false;
        for (std::int64_t i = 0; i < 2 * *n; ++i) scanner.word();
        left -= 1 + 2 * static_cast<std::size_t>(*n);
    }
    return left == 0;
}

/// A file that only begins like one is taken for one too: better to hear that it is cut off than to get other points.
Match recognises(const Clues& clues) {
    if (!clues.numbers || clues.numbers->head[0] != 1) return Match::no;
    const auto problems = parse_integer(clues.numbers->first[0]);
    if (!problems || *problems < 1) return Match::no;
    const bool begins_so = clues.numbers->head[1] == 1 && clues.numbers->head[2] == 2;
    return begins_so || counts_fit(clues, *problems) ? Match::certain : Match::no;
}

Instance read_problem(Scanner& scanner, std::string name) {
    const Text& text = scanner.text();
    const Vertex n = to_vertex_count(text, scanner.word());
    std::vector<Point> points;
    for (Vertex v = 0; v < n; ++v) {
        const double x = to_number(text, scanner.word(), "a coordinate");
        points.push_back({x, to_number(text, scanner.word(), "a coordinate")});
    }
    Instance instance;
    instance.name = std::move(name);
    instance.weights = Weights::from_points(std::move(points));
    return instance;
}

std::vector<Instance> read(const Text& text) {
    Scanner scanner(text);
    const Token word = scanner.word();
    const std::size_t problems = to_count(text, word, "a number of problems");
    if (problems == 0) text.fail(word.at, "expected at least one problem, found 0");
    std::vector<Instance> instances;
    for (std::size_t k = 1; k <= problems; ++k) {
        const bool alone = problems == 1;
        instances.push_back(read_problem(scanner, alone ? text.name : fmt::format("{}#{}", text.name, k)));
    }
    scanner.expect_end(fmt::format("expected the end of the file after {} problems", problems));
    return instances;
}

}  // namespace

extern const Reader orlib_reader = {"orlib", "OR-Library point sets", recognises, read};

}  // namespace neuroprim::formats
