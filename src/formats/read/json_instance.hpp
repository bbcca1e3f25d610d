#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

/// What the members of an instance in JSON are called, and how large it may be.
struct JsonInstanceForm {
    std::string_view size_key = "n";
    std::string_view matrix_key = "matrix";
    std::string_view layout_key = "layout";  ///< `points`: those beside a matrix or edges only say where to draw

    /// Errors name the member after this path, `instance.points:1: expected …`, instead of the text.
    std::string path = {};

    Vertex most_vertices = std::numeric_limits<Vertex>::max();
    Vertex most_for_pairs = std::numeric_limits<Vertex>::max();  ///< with a number for each pair
};

/// Reads the next value, an object as docs/formats.md tells it. Throws TooLarge as soon as it is known to be, without
/// having read more than it may hold.
[[nodiscard]] Instance read_json_instance(JsonCursor& cursor, const JsonInstanceForm& form = {});

}  // namespace neuroprim::formats
