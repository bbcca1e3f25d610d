#include "formats/text/csv_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/text/csv_numbers.hpp"
#include "formats/text/scanner.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

/// A semicolon or a tab goes before a comma, which may stand inside numbers or names then.
char separator_of(std::string_view line) {
    bool inside_quotes = false;
    bool tab = false;
    bool comma = false;
    for (const char c : line) {
        if (c == '"') inside_quotes = !inside_quotes;
        if (inside_quotes) continue;
        if (c == ';') return ';';
        tab = tab || c == '\t';
        comma = comma || c == ',';
    }
    return tab ? '\t' : comma ? ',' : ' ';
}

}  // namespace

CsvScanner::CsvScanner(const Text& text) : text_(&text), separator_(separator_of(Scanner(text).line().value)) {}

bool CsvScanner::next_row() {
    cells_.clear();
    unquoted_.clear();
    if (!skip_blank_lines()) return false;
    const auto content = text_->content;
    for (;;) {
        read_cell();
        if (at_ == content.size() || is_line_end(content[at_])) return true;
        if (separator_ != ' ') ++at_;
    }
}

/// White space inside a line that separates nothing, or runs of it that together do.
bool CsvScanner::is_blank(char c) const {
    return is_space(c) && !is_line_end(c) && (c != separator_ || separator_ == ' ');
}

/// A line of separators alone is not blank, unless they are spaces: its cells are empty.
bool CsvScanner::skip_blank_lines() {
    const auto content = text_->content;
    for (;;) {
        skip_blanks();
        if (at_ == content.size()) return false;
        if (!is_line_end(content[at_])) return true;
        ++at_;
    }
}

void CsvScanner::skip_blanks() {
    const auto content = text_->content;
    while (at_ < content.size() && is_blank(content[at_])) ++at_;
}

bool CsvScanner::at_cell_end() const {
    const auto content = text_->content;
    return at_ == content.size() || content[at_] == separator_ || is_line_end(content[at_]);
}

void CsvScanner::read_cell() {
    skip_blanks();
    const auto content = text_->content;
    if (at_ < content.size() && content[at_] == '"') {
        read_quoted_cell();
    } else {
        const std::size_t begin = at_;
        while (!at_cell_end()) ++at_;
        cells_.push_back({trimmed(content.substr(begin, at_ - begin)), begin});
    }
    if (separator_ == ' ') skip_blanks();
}

void CsvScanner::read_quoted_cell() {
    const auto content = text_->content;
    const std::size_t begin = at_++;
    bool copied = false;
    for (;;) {
        const std::size_t quote = content.find('"', at_);
        if (quote == std::string_view::npos) {
            text_->fail(begin, "expected a quote that ends this cell, found the end of the file");
        }
        const bool doubled = content.substr(quote).starts_with("\"\"");
        if (copied || doubled) {
            if (!copied) unquoted_.emplace_back();
            copied = true;
            unquoted_.back() += content.substr(at_, quote - at_ + (doubled ? 1 : 0));
        }
        at_ = quote + (doubled ? 2 : 1);
        if (!doubled) break;
    }
    const auto between = content.substr(begin + 1, at_ - begin - 2);
    cells_.push_back({copied ? std::string_view(unquoted_.back()) : between, begin});
    skip_blanks();
    if (separator_ == ' ') return;
    if (!at_cell_end()) text_->fail(at_, "expected the cell to end after its closing quote");
}

std::optional<std::size_t> column_named(std::span<const Token> header, ColumnNames names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
        for (const auto name : names) {
            if (same_word(header[i].value, name)) return i;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> column_named(std::span<const Token> header, std::string_view name) {
    return column_named(header, ColumnNames(&name, 1));
}

void check_columns_differ(const Text& text, std::span<const Token> header, ColumnNames names) {
    const auto first = column_named(header, names);
    if (!first) return;
    for (const Token& column : header.subspan(*first + 1)) {
        if (!column_named({&column, 1}, names)) continue;
        if (same_word(column.value, header[*first].value)) {
            text.fail(column.at, fmt::format("column {} is given twice", in_quotes(column.value)));
        }
        text.warn(column.at, fmt::format("column {} is read, and {} is ignored, which could mean the same",
                                         in_quotes(header[*first].value), in_quotes(column.value)));
    }
}

bool can_be_header(std::span<const Token> cells) {
    return std::none_of(cells.begin(), cells.end(), [](const Token& cell) { return is_meant_as_number(cell.value); });
}

std::span<const Token> without_empty_end(std::span<const Token> cells) {
    while (!cells.empty() && cells.back().value.empty()) cells = cells.first(cells.size() - 1);
    return cells;
}

void check_width(const CsvScanner& csv, std::size_t width) {
    const auto cells = csv.cells();
    if (cells.size() == width || (cells.size() > width && without_empty_end(cells.subspan(width)).empty())) return;
    for (const Token& cell : cells) {
        if (holds_several_numbers(csv.text(), cell)) {
            csv.text().fail(cell.at, fmt::format("expected {} columns, found {} with {} in one of them: {}", width,
                                                 cells.size(), in_quotes(cell.value), decimal_comma_advice));
        }
    }
    const bool doubled = csv.separator() == ',' && cells.size() == 2 * width;
    csv.text().fail(cells.front().at,
                    fmt::format("expected {} columns, found {}{}", width, cells.size(),
                                doubled ? " (if commas are decimal, put ; between the columns)" : ""));
}

}  // namespace neuroprim::formats
