#include <fmt/format.h>

#include <cmath>

#include "formats/read/reader.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

/// The n with n(n−1)/2 = pairs, if there is one.
std::optional<std::size_t> vertices_with(std::size_t pairs) {
    auto n = static_cast<std::size_t>(std::sqrt(2.0 * static_cast<double>(pairs)));
    while (n * (n + 1) / 2 < pairs) ++n;
    ++n;
    if (n * (n - 1) / 2 != pairs) return std::nullopt;
    return n;
}

Match recognises_pairs(const Sniffed& sniffed) {
    if (!sniffed.numbers) return Match::no;
    if (sniffed.numbers->per_line == 2) return Match::certain;
    return sniffed.numbers->numbers % 2 == 0 ? Match::possible : Match::no;
}

Match recognises_triangle(const Sniffed& sniffed) {
    if (!sniffed.numbers) return Match::no;
    if (sniffed.numbers->rows_grow) return Match::certain;
    return vertices_with(sniffed.numbers->numbers) ? Match::possible : Match::no;
}

std::vector<Instance> read_pairs(const Text& text) {
    Scanner scanner(text);
    std::vector<Point> points;
    for (Token x = scanner.word(); !x.value.empty(); x = scanner.word()) {
        const double px = to_number(text, x);
        const Token y = scanner.word();
        if (y.value.empty()) {
            text.fail(y.at, fmt::format("expected pairs x y, found {} numbers", 2 * points.size() + 1));
        }
        points.push_back({px, to_number(text, y)});
    }
    checked_size(text, points.size());
    Instance instance;
    instance.name = text.name;
    instance.weights = Weights::from_points(std::move(points));
    return just(std::move(instance));
}

std::vector<Instance> read_triangle(const Text& text) {
    Scanner scanner(text);
    std::vector<double> lower;
    for (Token word = scanner.word(); !word.value.empty(); word = scanner.word()) {
        lower.push_back(to_weight(text, word));
    }
    if (lower.empty()) text.fail("expected the weights of a lower triangle, found nothing");
    const auto n = vertices_with(lower.size());
    if (!n) {
        text.fail(fmt::format("expected n(n-1)/2 weights, the lower triangle of n vertices, found {}", lower.size()));
    }
    Instance instance;
    instance.name = text.name;
    instance.weights = Weights::from_lower_triangle(checked_size(text, *n), lower);
    return just(std::move(instance));
}

}  // namespace

extern const Reader crd_reader = {"crd", "plain pairs x y", recognises_pairs, read_pairs};
extern const Reader sym_reader = {"sym", "a plain lower triangle of weights", recognises_triangle, read_triangle};

}  // namespace neuroprim::formats
