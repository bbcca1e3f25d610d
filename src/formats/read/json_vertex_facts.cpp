#include "formats/read/json_vertex_facts.hpp"

#include "formats/read/group_names.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

std::vector<Vertex> read_vertices(JsonCursor& cursor, Vertex n, std::string_view what) {
    Terminals vertices(what);
    cursor.array([&] {
        const Token number = cursor.number("a vertex");
        vertices.add(cursor.text(), number.at, to_vertex(cursor.text(), number, n, 0), 0);
    });
    return std::move(vertices).sorted();
}

Roots read_roots(JsonCursor& cursor, Vertex n) {
    if (cursor.peek() != JsonCursor::Kind::array) {
        return {to_vertex(cursor.text(), cursor.number("a vertex"), n, 0), {}};
    }
    const std::size_t at = cursor.at();
    const std::vector<Vertex> roots = read_vertices(cursor, n, "a root");
    if (roots.empty()) cursor.text().fail(at, "expected a root or several, found none");
    return {roots.front(), {roots.begin() + 1, roots.end()}};
}

std::vector<double> read_amounts(JsonCursor& cursor, std::string_view what) {
    std::vector<double> amounts;
    cursor.array([&] { amounts.push_back(to_weight(cursor.text(), cursor.number(what), what)); });
    return amounts;
}

std::vector<int> read_groups(JsonCursor& cursor) {
    GroupNames names;
    std::size_t n = 0;
    cursor.array([&] {
        if (!cursor.null()) {
            const bool named = cursor.peek() == JsonCursor::Kind::string;
            names.set(n, named ? cursor.string() : std::string(cursor.number("a group").value));
        }
        ++n;
    });
    std::vector<int> groups = names.numbered(n);
    return groups.empty() ? std::vector<int>(n, -1) : groups;
}

}  // namespace neuroprim::formats
