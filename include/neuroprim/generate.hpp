#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "neuroprim/instance.hpp"

namespace neuroprim {

/// What random instances look like. The same options give the same instance on every machine.
struct GenerateOptions {
    enum class Shape {
        uniform,    ///< points in the unit square, as in the paper
        clustered,  ///< points around √n/2 random centres
        grid,       ///< a square lattice, a little shaken
        matrix,     ///< no points: a full matrix of uniform weights
        sparse,     ///< no points: a random connected graph of `average_degree`
    };

    Shape shape = Shape::uniform;
    Vertex n = 50;
    Vertex terminals = 0;       ///< this many random vertices are marked
    double scale = 1;           ///< coordinates and weights reach up to here
    bool integers = false;      ///< rounded to whole numbers
    double average_degree = 4;  ///< sparse only
    bool requirements = false;  ///< random traffic between pairs, for ocst
    std::uint64_t seed = 0;
};

/// Throws InputError when the numbers do not fit together (more terminals than vertices, …).
[[nodiscard]] Instance generate(const GenerateOptions& options);

[[nodiscard]] std::optional<GenerateOptions::Shape> shape_from_string(std::string_view name);
[[nodiscard]] std::string_view to_string(GenerateOptions::Shape shape);

}  // namespace neuroprim
