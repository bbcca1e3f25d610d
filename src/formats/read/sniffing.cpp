#include "formats/read/sniffing.hpp"

#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

std::vector<std::string_view> words_of(const Text& text, const Token& line) {
    const Text only{line.value, text.source, text.name};
    Scanner scanner(only);
    std::vector<std::string_view> words;
    for (Token word = scanner.word(); !word.value.empty(); word = scanner.word()) words.push_back(word.value);
    return words;
}

bool all_numbers(const std::vector<std::string_view>& words) {
    for (const auto word : words) {
        if (!parse_number(word)) return false;
    }
    return !words.empty();
}

NumberShape shape_of(std::string_view content) {
    NumberShape shape;
    const auto count_line = [&shape](std::size_t words) {
        if (words == 0) return;
        if (shape.lines < shape.head.size()) shape.head[shape.lines] = words;
        ++shape.lines;
        shape.numbers += words;
        if (shape.lines == 1) shape.per_line = words;
        if (words != shape.per_line) shape.per_line = 0;
        if (words != shape.lines) shape.rows_grow = false;
    };
    std::size_t words = 0;
    bool inside = false;
    for (const char c : content) {
        const bool space = is_space(c);
        if (!space && !inside) ++words;
        inside = !space;
        if (is_line_end(c)) {
            count_line(words);
            words = 0;
        }
    }
    count_line(words);
    return shape;
}

}  // namespace

Sniffed::Sniffed(const Text& the_text) : text(the_text), first_line(Scanner(the_text).line()) {
    auto words = words_of(text, first_line);
    if (!all_numbers(words)) return;
    numbers = shape_of(text.content);
    numbers->first = std::move(words);
}

}  // namespace neuroprim::formats
