#pragma once

#include <cstddef>

#include "neuroprim/types.hpp"

/// From which sizes on policies are asked in another way.
namespace neuroprim {

/// Policies know graphs of up to so many vertices whole.
inline constexpr Vertex most_trained = 150;

/// Beyond that so many starts, or looks at samples of the vertices, stand for all unless the options say how many.
inline constexpr std::size_t usual_starts_of_large_graphs = 10;

/// More vertices than this are too many for one look: the tables of all pairs leave sensible memory.
inline constexpr Vertex most_whole_vertices = 1500;

}  // namespace neuroprim
