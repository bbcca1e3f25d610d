#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "graph/kd_tree.hpp"
#include "neuroprim/metric.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

[[nodiscard]] inline std::vector<Position<2>> plane_positions(std::span<const Point> points) {
    std::vector<Position<2>> result;
    result.reserve(points.size());
    for (const auto& [x, y] : points) result.push_back({x, y});
    return result;
}

/// On a sphere, the straight line through the ball orders pairs as the way along the surface does.
[[nodiscard]] inline std::vector<Position<3>> sphere_positions(std::span<const Point> points, Metric metric) {
    std::vector<Position<3>> result;
    result.reserve(points.size());
    for (const Point& point : points) {
        const auto [longitude, latitude] = sphere_angles(metric, point);
        const double around = std::cos(latitude);
        result.push_back({around * std::cos(longitude), around * std::sin(longitude), std::sin(latitude)});
    }
    return result;
}

/// Calls `work(positions, norm)` with positions and a norm that order pairs of points as the metric does. The rounded
/// metrics grow with the unrounded ones, so what is nearest for the latter is nearest for the former too.
template <class Work>
auto with_positions(std::span<const Point> points, Metric metric, Work&& work) {
    switch (metric) {
        case Metric::manhattan:
        case Metric::man_2d:
            return work(plane_positions(points), Manhattan{});
        case Metric::maximum:
        case Metric::max_2d:
            return work(plane_positions(points), Maximum{});
        case Metric::geo:
        case Metric::great_circle:
            return work(sphere_positions(points, metric), SquaredEuclidean{});
        case Metric::euclidean:
        case Metric::euc_2d:
        case Metric::ceil_2d:
        case Metric::att:
            break;
    }
    return work(plane_positions(points), SquaredEuclidean{});
}

}  // namespace neuroprim
