#include "formats/read/csv_edge_rows.hpp"

#include <array>
#include <utility>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

std::optional<EdgeColumns> edge_columns(std::span<const Token> row) {
    EdgeColumns columns;
    columns.width = row.size();
    if (can_be_header(row)) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 3> ends = {
            {{"u", "v"}, {"source", "target"}, {"from", "to"}}};
        for (const auto& [from, to] : ends) {
            const auto u = column_named(row, {from});
            const auto v = column_named(row, {to});
            if (!u || !v) continue;
            columns.has_header = true;
            columns.u = *u;
            columns.v = *v;
            columns.weight = column_named(row, {"weight", "w", "cost", "length", "distance"});
            return columns;
        }
    }
    if (row.size() == 3 && parse_number(row[2].value)) {
        columns.weight = 2;
        return columns;
    }
    if (row.size() == 2) return columns;
    return std::nullopt;
}

void fail_no_edges(const CsvScanner& csv) {
    const auto cells = csv.cells();
    csv.text().fail(cells.empty() ? 0 : cells.front().at,
                    "expected a header with u,v,weight (or source,target or from,to), or rows u,v,weight");
}

}  // namespace neuroprim::formats
