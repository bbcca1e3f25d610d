#pragma once

#include <string_view>
#include <vector>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/types.hpp"

/// Lists in JSON that tell something of vertices. Each function reads the next value and fails with its line.
namespace neuroprim::formats {

/// Vertices from zero, each once, in any order; the result increases. `what` is "a terminal" in errors.
[[nodiscard]] std::vector<Vertex> read_vertices(JsonCursor& cursor, Vertex n, std::string_view what);

/// Where hops, lengths and loads are counted from.
struct Roots {
    Vertex first = no_vertex;
    std::vector<Vertex> others;  // increasing
};

/// A vertex, or a list of at least one, each once.
[[nodiscard]] Roots read_roots(JsonCursor& cursor, Vertex n);

/// Numbers of at least zero, one for each vertex; `what` is "a demand" in errors.
[[nodiscard]] std::vector<double> read_amounts(JsonCursor& cursor, std::string_view what);

/// A number or a name for each vertex, null or −1 for none. The groups of as many vertices as the list tells of.
[[nodiscard]] std::vector<int> read_groups(JsonCursor& cursor);

}  // namespace neuroprim::formats
