#pragma once

#include <string_view>
#include <vector>

#include "formats/text/scanner.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim::formats {

/// How an EDGE_WEIGHT_SECTION lists its matrix. Lists by column are lists by row of the mirrored triangle.
struct MatrixLayout {
    enum class Part { full, upper, lower };
    Part part = Part::full;
    bool diagonal = true;
};

/// The layout that EDGE_WEIGHT_FORMAT names; fails when there is none of that name.
[[nodiscard]] MatrixLayout to_matrix_layout(const Text& text, const Token& name);

/// Reads the numbers of an EDGE_WEIGHT_SECTION into a lower triangle row by row, without the diagonal, whose
/// numbers mean nothing here. Fails on a matrix that is not symmetric.
[[nodiscard]] std::vector<double> read_matrix(Scanner& scanner, Vertex n, MatrixLayout layout);

}  // namespace neuroprim::formats
