#pragma once

#include <span>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// A straight edge in the plane.
struct PlaneSegment {
    Point from;
    Point to;
};

/// Do two segments meet in a point that is inside both? Touching ends and segments along the same line do not.
[[nodiscard]] bool properly_cross(const PlaneSegment& a, const PlaneSegment& b);

/// The same for ways with bends. Ways that bend at the same corner, or run along each other for a while, cross if
/// they leave each other on the other side than they met. O(k²) for k points.
[[nodiscard]] bool ways_cross(std::span<const Point> a, std::span<const Point> b);

}  // namespace neuroprim
