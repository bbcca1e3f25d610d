#include <fmt/format.h>

#include <array>

#include "formats/read/point_list.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/csv_numbers.hpp"
#include "formats/text/csv_scanner.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::string_view, 4> longitude_columns = {"lon", "longitude", "lng", "long"};
constexpr std::array<std::string_view, 2> latitude_columns = {"lat", "latitude"};

struct Columns {
    std::size_t width = 0;
    bool has_header = false;
    std::size_t x = 0;
    std::size_t y = 0;
    Metric metric = Metric::euclidean;
    std::optional<std::size_t> name;
    std::optional<std::size_t> terminal;
    std::optional<std::size_t> degree;
    std::optional<std::size_t> demand;
    std::optional<std::size_t> mass;
    std::optional<std::size_t> prize;
    std::optional<std::size_t> group;
    std::optional<std::size_t> leaf;
    std::optional<std::size_t> root;
    std::optional<std::size_t> kind;
};

/// What the first row says about the columns; nothing when it is not one of points.
std::optional<Columns> columns_of(std::span<const Token> row) {
    Columns columns;
    row = without_empty_end(row);
    columns.width = row.size();
    columns.has_header = can_be_header(row);
    if (columns.has_header) {
        auto x = column_named(row, "x");
        auto y = column_named(row, "y");
        if (!x || !y) {
            x = column_named(row, longitude_columns);
            y = column_named(row, latitude_columns);
            columns.metric = Metric::great_circle;
        }
        if (!x || !y) return std::nullopt;
        columns.x = *x;
        columns.y = *y;
        columns.name = column_named(row, "name");
        columns.terminal = column_named(row, "terminal");
        columns.degree = column_named(row, "degree");
        columns.demand = column_named(row, "demand");
        columns.mass = column_named(row, "mass");
        columns.prize = column_named(row, "prize");
        columns.group = column_named(row, "group");
        columns.leaf = column_named(row, "leaf");
        columns.root = column_named(row, "root");
        columns.kind = column_named(row, "kind");
        return columns;
    }
    const bool named = row.size() == 3 && !is_meant_as_number(row[0].value);
    if (row.size() != 2 && !named) return std::nullopt;
    columns.x = row.size() - 2;
    columns.y = row.size() - 1;
    if (named) columns.name = 0;
    if (!is_meant_as_number(row[columns.x].value) || !is_meant_as_number(row[columns.y].value)) return std::nullopt;
    return columns;
}

Match recognises_csv_points(const Sniffed& sniffed) {
    if (sniffed.numbers) return Match::no;
    try {
        CsvScanner csv(sniffed.text);
        return csv.next_row() && columns_of(csv.cells()) ? Match::certain : Match::no;
    } catch (const InputError&) {
        return Match::no;
    }
}

void check_header(const Text& text, std::span<const Token> header, const Columns& columns) {
    for (const std::string_view name :
         {"x", "y", "name", "terminal", "degree", "demand", "mass", "prize", "group", "leaf", "root", "kind"}) {
        check_columns_differ(text, header, ColumnNames(&name, 1));
    }
    check_columns_differ(text, header, longitude_columns);
    check_columns_differ(text, header, latitude_columns);
    const auto longitude = column_named(header, longitude_columns);
    if (columns.metric == Metric::euclidean && longitude && column_named(header, latitude_columns)) {
        text.warn(header[*longitude].at,
                  "columns x and y are read and measured in the plane, longitudes and latitudes "
                  "are ignored");
    }
}

/// What the row says about its vertex beside its place and name.
void read_facts(const CsvScanner& csv, const Columns& columns, CsvNumbers& numbers, PointList& points) {
    const Text& text = csv.text();
    const auto cells = csv.cells();
    const std::size_t v = points.size() - 1;
    const auto given = [&](std::optional<std::size_t> column) { return column && !cells[*column].value.empty(); };
    const auto flagged = [&](std::optional<std::size_t> column) {
        return given(column) && to_flag(text, cells[*column]);
    };
    if (flagged(columns.terminal)) points.set_terminal(v);
    if (flagged(columns.leaf)) points.set_leaf(v);
    if (flagged(columns.root)) points.set_root(v);
    if (given(columns.degree)) points.set_degree_limit(v, to_degree_limit(text, cells[*columns.degree]));
    if (given(columns.demand)) points.set_demand(v, numbers.weight(cells[*columns.demand], "a demand"));
    if (given(columns.mass)) points.set_mass(v, numbers.weight(cells[*columns.mass], "a mass"));
    if (given(columns.prize)) points.set_prize(v, numbers.weight(cells[*columns.prize], "a prize"));
    if (given(columns.group)) points.set_group(v, std::string(cells[*columns.group].value));
}

void read_row(const CsvScanner& csv, const Columns& columns, CsvNumbers& numbers, PointList& points) {
    const Text& text = csv.text();
    const auto cells = csv.cells();
    check_width(csv, columns.width);
    const double x = numbers.number(cells[columns.x]);
    const Point point{x, numbers.number(cells[columns.y])};
    check_position(text, cells[columns.x].at, point, columns.metric);
    const std::size_t v = points.size();
    points.add(point);
    if (columns.name) {
        const Token& name = cells[*columns.name];
        points.set_name(v, name.value.empty() ? "" : to_name(text, name), name.at);
    }
    read_facts(csv, columns, numbers, points);
}

std::vector<Instance> read_csv_points(const Text& text) {
    CsvScanner csv(text);
    bool more = csv.next_row();
    const auto columns = columns_of(csv.cells());
    if (!columns) {
        text.fail(more ? csv.cells().front().at : 0,
                  "expected a header with x,y or lon,lat, or rows x,y or name,x,y (for edges: --format edges)");
    }
    CsvNumbers numbers(csv);
    if (columns->has_header) {
        check_header(text, csv.cells(), *columns);
        more = csv.next_row();
    }
    PointList points;
    for (; more; more = csv.next_row()) {
        read_row(csv, *columns, numbers, points);
        if (columns->root || !columns->kind || !same_word(csv.cells()[*columns->kind].value, kind_of_roots)) continue;
        points.set_root(points.size() - 1);
    }
    return just(std::move(points).to_instance(text, columns->metric, PointList::SameName::refuse));
}

}  // namespace

extern const Reader csv_points_reader = {
    "csv", "CSV points: x,y or lon,lat, name, terminal, degree, demand, mass, prize, group, leaf, root",
    recognises_csv_points, read_csv_points};

}  // namespace neuroprim::formats
