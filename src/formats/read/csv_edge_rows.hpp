#pragma once

#include <optional>

#include "formats/text/csv_scanner.hpp"

namespace neuroprim::formats {

/// Where the edges of a CSV text stand.
struct EdgeColumns {
    std::size_t width = 0;
    bool has_header = false;
    std::size_t u = 0;
    std::size_t v = 1;
    std::optional<std::size_t> weight;
};

/// What the first row says: a header with u,v, source,target or from,to, or a row `u,v,weight` or `u,v`.
/// Nothing when it is neither.
[[nodiscard]] std::optional<EdgeColumns> edge_columns(std::span<const Token> row);

/// Calls `on_edge(cells, columns)` for every edge; it returns whether to go on. Fails when there are no edge columns.
template <class OnEdge>
void for_each_edge(const Text& text, OnEdge&& on_edge);

/// Looks at a first row that is a header: fails on a column given twice, warns of two that could be the weight.
void check_edge_header(const CsvScanner& csv);

/// Fails on a cell that is several numbers: without a header that is a sign of decimal commas.
void check_bare_edge(const Text& text, std::span<const Token> row);

[[noreturn]] void fail_no_edges(const CsvScanner& csv);

template <class OnEdge>
void for_each_edge(const Text& text, OnEdge&& on_edge) {
    CsvScanner csv(text);
    bool more = csv.next_row();
    const auto columns = edge_columns(csv.cells());
    if (!columns) fail_no_edges(csv);
    if (columns->has_header) more = csv.next_row();
    for (; more; more = csv.next_row()) {
        check_width(csv, columns->width);
        if (!columns->has_header) check_bare_edge(text, csv.cells());
        if (!on_edge(csv.cells(), *columns)) return;
    }
}

}  // namespace neuroprim::formats
