#include "formats/read/csv_edge_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "formats/text/csv_numbers.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::string_view, 5> weight_columns = {"weight", "w", "cost", "length", "distance"};

}  // namespace

std::optional<EdgeColumns> edge_columns(std::span<const Token> row) {
    EdgeColumns columns;
    row = without_empty_end(row);
    columns.width = row.size();
    if (can_be_header(row)) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 3> ends = {
            {{"u", "v"}, {"source", "target"}, {"from", "to"}}};
        for (const auto& [from, to] : ends) {
            const auto u = column_named(row, from);
            const auto v = column_named(row, to);
            if (!u || !v) continue;
            columns.has_header = true;
            columns.u = *u;
            columns.v = *v;
            columns.weight = column_named(row, weight_columns);
            return columns;
        }
    }
    if (row.size() == 3 && is_meant_as_number(row[2].value)) {
        columns.weight = 2;
        return columns;
    }
    if (row.size() == 2) return columns;
    return std::nullopt;
}

void check_edge_header(const CsvScanner& csv) {
    const Text& text = csv.text();
    const auto header = csv.cells();
    if (!can_be_header(header)) return;
    for (const std::string_view end : {"u", "v", "source", "target", "from", "to"}) {
        check_columns_differ(text, header, ColumnNames(&end, 1));
    }
    check_columns_differ(text, header, weight_columns);
}

void check_bare_edge(const Text& text, std::span<const Token> row) {
    for (const Token& cell : row) {
        if (!holds_several_numbers(text, cell)) continue;
        text.fail(cell.at, fmt::format("found {} in one cell: {}", in_quotes(cell.value), decimal_comma_advice));
    }
}

void fail_no_edges(const CsvScanner& csv) {
    const auto cells = csv.cells();
    csv.text().fail(cells.empty() ? 0 : cells.front().at,
                    "expected a header with u,v,weight (or source,target or from,to), or rows u,v,weight");
}

}  // namespace neuroprim::formats
