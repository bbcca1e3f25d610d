#pragma once

#include <limits>
#include <string>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

/// How large an instance in JSON may be, and how errors name it.
struct JsonInstanceForm {
    /// Errors name the member after this path, `instance.points:1: expected …`, instead of the text.
    std::string path = {};

    Vertex most_vertices = std::numeric_limits<Vertex>::max();
    Vertex most_for_pairs = std::numeric_limits<Vertex>::max();  ///< with a number for each pair
};

/// Reads the next value, an object as docs/formats.md tells it. Throws TooLarge as soon as it is known to be, without
/// having read more than it may hold.
[[nodiscard]] Instance read_json_instance(JsonCursor& cursor, const JsonInstanceForm& form = {});

}  // namespace neuroprim::formats
