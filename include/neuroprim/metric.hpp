#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// How far apart two points are. The names with `_2d`, `att` and `geo` are TSPLIB's, rounding included.
enum class Metric {
    euclidean,     ///< √(Δx² + Δy²)
    manhattan,     ///< |Δx| + |Δy|
    maximum,       ///< max(|Δx|, |Δy|)
    euc_2d,        ///< euclidean, rounded to the nearest integer
    ceil_2d,       ///< euclidean, rounded up
    man_2d,        ///< manhattan, rounded to the nearest integer
    max_2d,        ///< maximum, rounded to the nearest integer
    att,           ///< TSPLIB's pseudo-Euclidean distance: √((Δx² + Δy²) / 10), rounded up
    geo,           ///< TSPLIB's kilometres between (latitude, longitude) given as DDD.MM
    great_circle,  ///< metres between (longitude, latitude) in decimal degrees on a sphere of 6 371 008.8 m
};

[[nodiscard]] double distance(Metric metric, Point a, Point b);

/// Where a point of a spherical metric (`geo`, `great_circle`) lies, in radians.
struct SphereAngles {
    double longitude;
    double latitude;
};
[[nodiscard]] SphereAngles sphere_angles(Metric metric, Point point);

[[nodiscard]] std::string_view to_string(Metric metric);
[[nodiscard]] std::optional<Metric> metric_from_string(std::string_view name);
[[nodiscard]] std::span<const Metric> all_metrics();

}  // namespace neuroprim
