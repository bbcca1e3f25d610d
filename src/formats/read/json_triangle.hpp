#pragma once

#include <optional>
#include <vector>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim::formats {

/// A symmetric matrix in JSON: the lower triangle of n vertices, without the diagonal.
struct Triangle {
    Vertex n = 0;
    std::vector<double> lower;
};

/// Reads an array of n rows: each of n numbers, or row i of i numbers, or of i + 1 with the diagonal, whose
/// numbers mean nothing. Where `missing` has a value, null stands for it. Fails on a matrix that is not symmetric.
[[nodiscard]] Triangle read_triangle(JsonCursor cursor, std::string_view what, std::optional<double> missing);

}  // namespace neuroprim::formats
