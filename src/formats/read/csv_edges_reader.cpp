#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

#include "formats/read/csv_edge_rows.hpp"
#include "formats/read/edge_list.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/csv_numbers.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// Three numbers on every line may well be edges, when nothing but white space is between them; a tab decides.
Match recognises_numbers(const NumberShape& shape, std::string_view first_line) {
    if (shape.per_line != 3 || shape.lines < 2) return Match::no;
    return first_line.find('\t') != std::string_view::npos ? Match::certain : Match::possible;
}

Match recognises_csv_edges(const Sniffed& sniffed) {
    if (sniffed.numbers) return recognises_numbers(*sniffed.numbers, sniffed.first_line.value);
    try {
        CsvScanner csv(sniffed.text);
        if (!csv.next_row()) return Match::no;
        const auto columns = edge_columns(csv.cells());
        return columns && (columns->has_header || columns->weight) ? Match::certain : Match::no;
    } catch (const InputError&) {
        return Match::no;
    }
}

struct Graph {
    std::int64_t n = 0;
    std::vector<WeightedEdge> edges;
    std::vector<std::string> names;
};

/// Calls `on_edge(u, v, weight)` with the cells of both ends.
template <class OnEdge>
void for_each_weighted_edge(const Text& text, CsvNumbers& numbers, OnEdge&& on_edge) {
    for_each_edge(text, [&](std::span<const Token> cells, const EdgeColumns& columns) {
        if (!columns.weight) text.fail(cells[0].at, "the edges have no column weight");
        const Token& u = cells[columns.u];
        const Token& v = cells[columns.v];
        if (!u.value.empty() && u.value == v.value) {
            text.fail(u.at, fmt::format("an edge joins vertex {} to itself", in_quotes(u.value)));
        }
        return on_edge(u, v, numbers.weight(cells[*columns.weight]));
    });
}

/// Ends as vertex numbers from zero. Nothing when an end is anything else, or when the numbers are so far apart
/// that they can only be names.
std::optional<Graph> read_numbered(const Text& text, CsvNumbers& numbers) {
    Graph graph;
    bool numbered = true;
    for_each_weighted_edge(text, numbers, [&](const Token& u, const Token& v, double weight) {
        const auto from = parse_integer(u.value);
        const auto to = parse_integer(v.value);
        constexpr std::int64_t limit = std::numeric_limits<Vertex>::max() - 1;
        numbered = from && to && *from >= 0 && *to >= 0 && *from < limit && *to < limit;
        if (!numbered) return false;
        if (*from == *to) text.fail(u.at, fmt::format("an edge joins vertex {} to itself", *from));
        graph.n = std::max({graph.n, *from + 1, *to + 1});
        graph.edges.push_back({static_cast<Vertex>(*from), static_cast<Vertex>(*to), weight});
        return true;
    });
    if (!numbered || !is_plausible_size(graph.n, graph.edges.size())) return std::nullopt;
    return graph;
}

struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};

/// Ends as names, numbered in order of first appearance.
Graph read_named(const Text& text, CsvNumbers& numbers) {
    Graph graph;
    std::unordered_map<std::string, Vertex, NameHash, std::equal_to<>> vertices;
    const auto number_of = [&](const Token& end) {
        if (const auto found = vertices.find(end.value); found != vertices.end()) return found->second;
        graph.names.push_back(to_name(text, end));
        const auto number = static_cast<Vertex>(vertices.size());
        vertices.emplace(graph.names.back(), number);
        return number;
    };
    for_each_weighted_edge(text, numbers, [&](const Token& u, const Token& v, double weight) {
        const Vertex from = number_of(u);
        const Vertex to = number_of(v);
        graph.edges.push_back({from, to, weight});
        return true;
    });
    graph.n = static_cast<std::int64_t>(graph.names.size());
    return graph;
}

/// Numbers that may have been meant as something else are read all the same: an isolated vertex 0 is allowed.
void warn_of_numbering(const Text& text, const Graph& graph, bool has_header) {
    if (graph.edges.empty()) return;
    Vertex least = graph.edges.front().u;
    bool first_counts = !has_header && graph.edges.size() > 2;  // the rows: 0, 1, 2, … or 1, 2, 3, …
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
        const auto& [u, v, weight] = graph.edges[k];
        least = std::min({least, u, v});
        first_counts = first_counts && u == graph.edges.front().u + static_cast<Vertex>(k);
    }
    const bool connected = graph.n - least - 1 <= static_cast<std::int64_t>(graph.edges.size());
    if (first_counts && !connected && graph.edges.front().u <= 1) {
        text.warn("rows are read as edges u,v,weight: if they are points, give them a header such as id,x,y");
    } else if (least == 1) {
        text.warn(
            "no edge has vertex 0: numbers are counted from 0, so that it is alone; if the file counts from 1, "
            "subtract 1 or use names such as v1");
    }
}

std::vector<Instance> read_csv_edges(const Text& text) {
    CsvScanner csv(text);
    csv.next_row();
    check_edge_header(csv);
    CsvNumbers numbers(csv);
    auto graph = read_numbered(text, numbers);
    if (graph) warn_of_numbering(text, *graph, can_be_header(csv.cells()));
    if (!graph) graph = read_named(text, numbers);
    const Vertex n = checked_size(text, static_cast<std::size_t>(graph->n));
    Instance instance;
    instance.name = text.name;
    instance.weights = graph_of(text, n, std::move(graph->edges), 0, graph->names);
    instance.names = std::move(graph->names);
    return just(std::move(instance));
}

}  // namespace

extern const Reader csv_edges_reader = {"edges", "CSV edges: u,v,weight", recognises_csv_edges, read_csv_edges};

}  // namespace neuroprim::formats
