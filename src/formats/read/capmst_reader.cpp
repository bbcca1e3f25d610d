#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/read/reader.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

/// A name and the numbers after it, up to the next name.
struct Block {
    Token name;
    std::vector<Token> numbers;

    /// `priz50r.dat` holds the demands of every matrix of 50 vertices in the file.
    [[nodiscard]] bool holds_demands() const { return same_word(name.value.substr(0, 4), "priz"); }
};

bool is_ruler(std::string_view word) {
    return !word.empty() && word.find_first_not_of('-') == std::string_view::npos;
}

bool begins_with_letter(std::string_view word) {
    return !word.empty() && ((word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z'));
}

/// A name alone in the first line; then a number alone, or demands.
Match recognises_capmst(const Sniffed& sniffed) {
    constexpr std::string_view not_in_names = " \t,;:\"'{}[]<>=";
    const std::string_view name = sniffed.first_line.value;
    if (!begins_with_letter(name) || name.find_first_of(not_in_names) != std::string_view::npos) return Match::no;
    Scanner scanner(sniffed.text, sniffed.first_line.at + name.size());
    if (!parse_integer(scanner.word().value)) return Match::no;
    const bool alone = scanner.word_in_line().value.empty();
    const bool holds_demands = same_word(name.substr(0, 4), "priz");
    return alone || holds_demands ? Match::certain : Match::no;
}

std::vector<Block> blocks_of(const Text& text) {
    std::vector<Block> blocks;
    Scanner scanner(text);
    for (Token word = scanner.word(); !word.value.empty(); word = scanner.word()) {
        if (is_ruler(word.value)) continue;
        if (begins_with_letter(word.value)) {
            blocks.push_back({word, {}});
        } else if (blocks.empty()) {
            fail_expected(text, word, "the name of a problem");
        } else {
            blocks.back().numbers.push_back(word);
        }
    }
    if (blocks.empty()) text.fail("expected the name of a problem, found nothing");
    return blocks;
}

std::string without_ending(std::string_view name) {
    return std::string(name.substr(0, name.find('.')));
}

/// The number of vertices. The file counts them with the root or without; the matrix always has it.
std::size_t size_of(const Text& text, const Block& block) {
    if (block.numbers.empty()) {
        text.fail(block.name.at, fmt::format("{} has no number of vertices", in_quotes(block.name.value)));
    }
    const auto announced = static_cast<std::size_t>(to_vertex_count(text, block.numbers[0]));
    const std::size_t found = block.numbers.size() - 1;
    for (const std::size_t n : {announced, announced + 1}) {
        if (n <= found && n * n == found) return n;
    }
    text.fail(block.numbers.back().at,
              fmt::format("{} announces {} vertices: expected {} numbers, or {} with the root, found {}",
                          in_quotes(block.name.value), announced, announced * announced,
                          (announced + 1) * (announced + 1), found));
}

/// Matrices that are not symmetric, told of in one warning however many a file has.
struct Asymmetry {
    std::size_t matrices = 0;
    Token first = {};
    std::size_t pairs = 0;  // in the first
    double most = 0;        // in all
};

/// The lower triangle. Some matrices have slightly less above the diagonal, which is ignored: docs/formats.md says
/// why.
std::vector<double> weights_of(const Text& text, const Block& block, std::size_t n, Asymmetry& asymmetry) {
    std::vector<double> rows;
    rows.reserve(n * n);
    for (std::size_t i = 1; i < block.numbers.size(); ++i) rows.push_back(to_weight(text, block.numbers[i]));
    std::vector<double> lower;
    std::size_t pairs = 0;
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < u; ++v) {
            lower.push_back(rows[u * n + v]);
            const double difference = std::abs(rows[v * n + u] - lower.back());
            pairs += difference > 0 ? 1 : 0;
            asymmetry.most = std::max(asymmetry.most, difference);
        }
    }
    if (pairs > 0 && asymmetry.matrices++ == 0) {
        asymmetry.first = block.name;
        asymmetry.pairs = pairs;
    }
    return lower;
}

void warn_of(const Text& text, const Asymmetry& asymmetry) {
    if (asymmetry.matrices == 0) return;
    const std::string others = asymmetry.matrices > 1 ? fmt::format(" and of {} more", asymmetry.matrices - 1) : "";
    text.warn(asymmetry.first.at,
              fmt::format("not symmetric: the matrix of {} ({} pairs){}, by up to {}; the lower triangle is read",
                          in_quotes(asymmetry.first.value), asymmetry.pairs, others, asymmetry.most));
}

/// The demands of a block of n − 1, and 0 of the root; none when the file has no such block.
std::vector<double> demands_for(const Text& text, std::size_t n, const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
        if (!block.holds_demands() || block.numbers.size() + 1 != n) continue;
        std::vector<double> demands;
        for (const Token& number : block.numbers) demands.push_back(to_weight(text, number, "a demand"));
        demands.push_back(0);
        return demands;
    }
    return {};
}

std::vector<Instance> read_capmst(const Text& text) {
    const std::vector<Block> blocks = blocks_of(text);
    std::vector<Instance> instances;
    Asymmetry asymmetry;
    for (const Block& block : blocks) {
        if (block.holds_demands()) continue;
        const std::size_t n = size_of(text, block);
        Instance instance;
        const std::string name = without_ending(block.name.value);
        instance.name = to_name(text, {name, block.name.at});
        instance.weights = Weights::from_lower_triangle(checked_size(text, n), weights_of(text, block, n, asymmetry));
        instance.demands = demands_for(text, n, blocks);
        instance.root = static_cast<Vertex>(n - 1);
        instances.push_back(std::move(instance));
    }
    if (instances.empty()) text.fail("the file holds demands only, and no matrix");
    warn_of(text, asymmetry);
    return instances;
}

}  // namespace

extern const Reader capmst_reader = {"capmst", "OR-Library capacitated trees", recognises_capmst, read_capmst};

}  // namespace neuroprim::formats
