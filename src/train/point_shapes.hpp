#pragma once

#include <cstdint>

#include "neuroprim/random.hpp"

namespace neuroprim::train {

/// Each writes n points of the unit square, (n, 2).
void draw_uniform_points(float* points, std::int64_t n, Random& random);

/// Around √n/2 random centres.
void draw_clustered_points(float* points, std::int64_t n, Random& random);

/// What a path that grew through many points may have left around its end, which comes first: the nearest points of
/// an uneven region at whose border the end lies, scaled into the unit square.
void draw_remainder(float* points, std::int64_t n, bool clustered, Random& random);

}  // namespace neuroprim::train
