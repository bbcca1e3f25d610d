#include <fmt/format.h>

#include <array>

#include "formats/read/reader.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

/// Two counts alone in their lines, then a point. Whether the counts are right is for the reader to say: better to
/// hear that a file is cut off than to get other points.
Match recognises_orlib(const Sniffed& sniffed) {
    constexpr std::array<std::size_t, 3> head = {1, 1, 2};
    if (!sniffed.numbers || sniffed.numbers->head != head) return Match::no;
    return parse_integer(sniffed.numbers->first[0]).value_or(0) > 0 ? Match::certain : Match::no;
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

std::vector<Instance> read_orlib(const Text& text) {
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

extern const Reader orlib_reader = {"orlib", "OR-Library point sets", recognises_orlib, read_orlib};

}  // namespace neuroprim::formats
