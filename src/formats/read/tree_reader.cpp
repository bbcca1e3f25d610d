#include <fmt/format.h>

#include <unordered_map>

#include "formats/read/csv_edge_rows.hpp"
#include "formats/text/input_file.hpp"
#include "formats/text/json_cursor.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim {

namespace formats {

namespace {

/// Finds vertices by their names.
class Names {
public:
    explicit Names(const Instance& instance) : n_(instance.size()) {
        for (Vertex v = 0; v < static_cast<Vertex>(instance.names.size()); ++v) {
            const auto [place, is_new] = vertices_.emplace(instance.names[static_cast<std::size_t>(v)], v);
            if (!is_new) place->second = no_vertex;
        }
    }

    [[nodiscard]] Vertex find(const Text& text, const Token& name) const {
        const auto found = vertices_.find(name.value);
        if (found == vertices_.end()) {
            fail_expected(text, name, fmt::format("a vertex from 0 to {} or the name of one", n_ - 1));
        }
        if (found->second == no_vertex) {
            text.fail(name.at, fmt::format("more than one vertex is named {}", in_quotes(name.value)));
        }
        return found->second;
    }

private:
    Vertex n_;
    std::unordered_map<std::string_view, Vertex> vertices_;  // no_vertex: the name of several
};

/// Whether every end of an edge is the number of a vertex: names are looked for only when one is not.
bool is_numbered(const Text& text, Vertex n) {
    bool numbered = true;
    for_each_edge(text, [&](std::span<const Token> cells, const EdgeColumns& columns) {
        for (const std::size_t column : {columns.u, columns.v}) {
            const auto number = parse_integer(cells[column].value);
            numbered = numbered && number && *number >= 0 && *number < n;
        }
        return numbered;
    });
    return numbered;
}

Tree read_csv_tree(const Text& text, const Instance& instance) {
    CsvScanner csv(text);
    csv.next_row();
    check_edge_header(csv);
    const Names names(instance);
    const bool numbered = instance.names.empty() || is_numbered(text, instance.size());
    const auto vertex = [&](const Token& cell) {
        return numbered ? to_vertex(text, cell, instance.size(), 0) : names.find(text, cell);
    };
    Tree tree;
    for_each_edge(text, [&](std::span<const Token> cells, const EdgeColumns& columns) {
        const Vertex u = vertex(cells[columns.u]);
        tree.edges.push_back({u, vertex(cells[columns.v])});
        return true;
    });
    if (!tree.edges.empty()) tree.start = tree.edges.front().u;
    return tree;
}

/// Numbers are vertices, strings are names.
Vertex read_json_vertex(JsonCursor& cursor, const Instance& instance, const Names& names) {
    const std::size_t at = cursor.at();
    if (cursor.peek() == JsonCursor::Kind::string) {
        const std::string name = cursor.string();
        return names.find(cursor.text(), {name, at});
    }
    return to_vertex(cursor.text(), cursor.number("a vertex"), instance.size(), 0);
}

std::vector<Edge> read_json_edges(JsonCursor& cursor, const Instance& instance, const Names& names) {
    std::vector<Edge> edges;
    cursor.array([&] {
        const std::size_t at = cursor.at();
        Edge edge;
        int count = 0;
        cursor.array([&] {
            ++count;
            if (count == 1) {
                edge.u = read_json_vertex(cursor, instance, names);
            } else if (count == 2) {
                edge.v = read_json_vertex(cursor, instance, names);
            } else {
                cursor.skip();
            }
        });
        if (count < 2 || count > 3) {
            cursor.text().fail(at, fmt::format("expected an edge [u, v], found {} values", count));
        }
        edges.push_back(edge);
    });
    return edges;
}

Tree read_json_tree(const Text& text, const Instance& instance) {
    const Names names(instance);
    JsonCursor cursor(text);
    std::optional<std::vector<Edge>> edges;
    std::optional<Vertex> start;
    cursor.object([&](const std::string& key, std::size_t) {
        if (key == "edges") {
            edges = read_json_edges(cursor, instance, names);
        } else if (key == "start" && cursor.peek() != JsonCursor::Kind::null) {
            start = read_json_vertex(cursor, instance, names);
        } else {
            cursor.skip();
        }
    });
    cursor.finish();
    if (!edges) text.fail("expected the key \"edges\"");
    Tree tree;
    tree.start = start.value_or(edges->empty() ? 0 : edges->front().u);
    tree.edges = std::move(*edges);
    return tree;
}

}  // namespace

}  // namespace formats

Tree parse_tree(std::string_view text, const std::string& source, const Instance& instance, std::size_t max_input) {
    using namespace formats;
    const TextFile file(text, source, max_input);
    const bool is_json = trimmed(file.text().content).starts_with('{');
    return is_json ? read_json_tree(file.text(), instance) : read_csv_tree(file.text(), instance);
}

Tree read_tree(const std::string& path, const Instance& instance, std::size_t max_input) {
    return parse_tree(formats::file_content(path, max_input), formats::source_name(path), instance, max_input);
}

}  // namespace neuroprim
