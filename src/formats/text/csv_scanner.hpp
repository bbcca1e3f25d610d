#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/text/text.hpp"

namespace neuroprim::formats {

/// Walks through the rows of a CSV text: RFC 4180, and also semicolons, tabs or runs of spaces between cells,
/// whichever the first line has, any line ends and blank lines.
class CsvScanner {
public:
    explicit CsvScanner(const Text& text);

    /// Goes on to the next row that is not blank; false at the end. Fails on a quote that is not closed.
    bool next_row();

    /// The cells of this row, unquoted, or else without white space at both ends; good till the next row is read.
    [[nodiscard]] std::span<const Token> cells() const { return cells_; }

    [[nodiscard]] const Text& text() const { return *text_; }

    /// Between cells: a comma, a semicolon, a tab, or a space for runs of white space.
    [[nodiscard]] char separator() const { return separator_; }

private:
    [[nodiscard]] bool is_blank(char c) const;
    bool skip_blank_lines();
    void skip_blanks();
    [[nodiscard]] bool at_cell_end() const;
    void read_cell();
    void read_quoted_cell();

    const Text* text_;
    std::size_t at_ = 0;
    char separator_;
    std::vector<Token> cells_;
    std::deque<std::string> unquoted_;  // cells of this row that had quotes inside; a deque does not move them
};

/// Names that a column may have, in any case.
using ColumnNames = std::span<const std::string_view>;

/// The first column with one of the names.
[[nodiscard]] std::optional<std::size_t> column_named(std::span<const Token> header, ColumnNames names);
[[nodiscard]] std::optional<std::size_t> column_named(std::span<const Token> header, std::string_view name);

/// Fails when two columns have the same of these names; warns when they have different ones.
void check_columns_differ(const Text& text, std::span<const Token> header, ColumnNames names);

/// Whether the row can be a header: no cell is a number.
[[nodiscard]] bool can_be_header(std::span<const Token> cells);

/// Without empty cells at the end, which are what commas at the end of a line leave.
[[nodiscard]] std::span<const Token> without_empty_end(std::span<const Token> cells);

/// Fails when the row does not have as many cells as the first. More may follow if they are empty.
void check_width(const CsvScanner& csv, std::size_t width);

}  // namespace neuroprim::formats
