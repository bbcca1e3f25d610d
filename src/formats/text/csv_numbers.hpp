#pragma once

#include <string_view>

#include "formats/text/csv_scanner.hpp"

namespace neuroprim::formats {

/// Whether the cell is meant as a number: also `0,5`, `nan` and `-inf`, which reading it then takes or refuses.
[[nodiscard]] bool is_meant_as_number(std::string_view cell);

/// Whether the cell is several numbers with spaces between them and without quotes: `5 1` in the row `0,5 1,5`.
[[nodiscard]] bool holds_several_numbers(const Text& text, const Token& cell);

/// What to do about commas that may be decimal ones or not.
inline constexpr std::string_view decimal_comma_advice =
    "where columns are separated by spaces, numbers need a decimal point (0.5), or put ; between the columns";

/// Numbers in the cells of a table, with a decimal comma too where commas do not separate cells. Warns of the first.
class CsvNumbers {
public:
    explicit CsvNumbers(const CsvScanner& csv) : text_(&csv.text()), separator_(csv.separator()) {}

    [[nodiscard]] double number(const Token& cell);

    /// At least zero.
    [[nodiscard]] double weight(const Token& cell, std::string_view expected = "a weight");

private:
    template <class Read>
    double read(const Token& cell, Read&& read);

    const Text* text_;
    char separator_;
    bool warned_ = false;
};

}  // namespace neuroprim::formats
