#include "formats/text/csv_numbers.hpp"

#include <fmt/format.h>

#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

bool is_not_finite(std::string_view cell) {
    if (cell.starts_with('-') || cell.starts_with('+')) cell.remove_prefix(1);
    return same_word(cell, "nan") || same_word(cell, "inf") || same_word(cell, "infinity");
}

/// `1,234` may be a thousand and more where cells with commas had to be quoted, as English tables are.
bool may_group_thousands(std::string_view cell) {
    return cell.size() - cell.find(',') == 4;
}

}  // namespace

bool is_meant_as_number(std::string_view cell) {
    return parse_number(cell) || with_decimal_point(cell) || is_not_finite(cell);
}

bool holds_several_numbers(const Text& text, const Token& cell) {
    if (cell.value.find_first_of(" \t") == std::string_view::npos) return false;
    const bool quoted = cell.at < text.content.size() && text.content[cell.at] == '"';
    if (quoted) return false;
    const Text only{cell.value, {}, {}};
    Scanner scanner(only);
    int words = 0;
    for (Token word = scanner.word(); !word.value.empty(); word = scanner.word(), ++words) {
        if (!parse_number(word.value)) return false;
    }
    return words > 1;
}

template <class Read>
double CsvNumbers::read(const Token& cell, Read&& read) {
    const auto decimal = with_decimal_point(cell.value);
    if (!decimal) return read(cell);
    if (separator_ == ',' && may_group_thousands(cell.value)) {
        text_->fail(cell.at, fmt::format("{} may be {} or {}: write it without a comma", in_quotes(cell.value),
                                         *decimal, std::string(*decimal).erase(decimal->find('.'), 1)));
    }
    if (!warned_) {
        text_->warn(cell.at,
                    fmt::format("numbers have decimal commas: {} is read as {}", in_quotes(cell.value), *decimal));
        warned_ = true;
    }
    return read(Token{*decimal, cell.at});
}

double CsvNumbers::number(const Token& cell) {
    return read(cell, [this](const Token& digits) { return to_number(*text_, digits); });
}

double CsvNumbers::weight(const Token& cell, std::string_view expected) {
    return read(cell, [&](const Token& digits) { return to_weight(*text_, digits, expected); });
}

}  // namespace neuroprim::formats
