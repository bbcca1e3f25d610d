#include "neuroprim/metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace neuroprim {

namespace {

constexpr std::array metric_names = {
    std::pair{Metric::euclidean, std::string_view("euclidean")},
    std::pair{Metric::manhattan, std::string_view("manhattan")},
    std::pair{Metric::maximum, std::string_view("maximum")},
    std::pair{Metric::euc_2d, std::string_view("euc_2d")},
    std::pair{Metric::ceil_2d, std::string_view("ceil_2d")},
    std::pair{Metric::man_2d, std::string_view("man_2d")},
    std::pair{Metric::max_2d, std::string_view("max_2d")},
    std::pair{Metric::att, std::string_view("att")},
    std::pair{Metric::geo, std::string_view("geo")},
    std::pair{Metric::great_circle, std::string_view("great-circle")},
};

/// TSPLIB's nint.
double nearest(double x) {
    return std::floor(x + 0.5);
}

double att_distance(double dx, double dy) {
    const double r = std::sqrt((dx * dx + dy * dy) / 10.0);
    const double t = nearest(r);
    return t < r ? t + 1 : t;
}

/// TSPLIB's angle of a DDD.MM coordinate, with the value of π that its documentation prescribes.
double geo_radians(double ddd_mm) {
    const double degrees = std::trunc(ddd_mm);
    const double minutes = ddd_mm - degrees;
    return 3.141592 * (degrees + 5.0 * minutes / 3.0) / 180.0;
}

double geo_distance(Point a, Point b) {
    const double latitude_a = geo_radians(a.x);
    const double latitude_b = geo_radians(b.x);
    const double q1 = std::cos(geo_radians(a.y) - geo_radians(b.y));
    const double q2 = std::cos(latitude_a - latitude_b);
    const double q3 = std::cos(latitude_a + latitude_b);
    // Rounding can push the cosine of two equal places just above one.
    const double cosine = std::clamp(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0);
    return std::floor(6378.388 * std::acos(cosine) + 1.0);
}

/// Haversine: exact enough for neighbours a few metres apart, where the cosine formula is not.
double great_circle_distance(Point a, Point b) {
    constexpr double mean_earth_radius = 6371008.8;
    constexpr double to_radians = std::numbers::pi / 180.0;
    const double sin_latitude = std::sin((b.y - a.y) * to_radians / 2);
    const double sin_longitude = std::sin((b.x - a.x) * to_radians / 2);
    const double h = sin_latitude * sin_latitude +
                     std::cos(a.y * to_radians) * std::cos(b.y * to_radians) * sin_longitude * sin_longitude;
    return 2 * mean_earth_radius * std::asin(std::min(1.0, std::sqrt(h)));
}

}  // namespace

double distance(Metric metric, Point a, Point b) {
    const double dx = a.x - b.x;
    const double dy = a.y - b.y;
    switch (metric) {
        case Metric::euclidean:
            return std::sqrt(dx * dx + dy * dy);
        case Metric::manhattan:
            return std::abs(dx) + std::abs(dy);
        case Metric::maximum:
            return std::max(std::abs(dx), std::abs(dy));
        case Metric::euc_2d:
            return nearest(std::sqrt(dx * dx + dy * dy));
        case Metric::ceil_2d:
            return std::ceil(std::sqrt(dx * dx + dy * dy));
        case Metric::man_2d:
            return nearest(std::abs(dx) + std::abs(dy));
        case Metric::max_2d:
            return std::max(nearest(std::abs(dx)), nearest(std::abs(dy)));
        case Metric::att:
            return att_distance(dx, dy);
        case Metric::geo:
            return geo_distance(a, b);
        case Metric::great_circle:
            return great_circle_distance(a, b);
    }
    return 0;
}

SphereAngles sphere_angles(Metric metric, Point point) {
    if (metric == Metric::geo) return {geo_radians(point.y), geo_radians(point.x)};
    constexpr double to_radians = std::numbers::pi / 180.0;
    return {point.x * to_radians, point.y * to_radians};
}

std::string_view to_string(Metric metric) {
    return metric_names[static_cast<std::size_t>(metric)].second;
}

std::optional<Metric> metric_from_string(std::string_view name) {
    for (const auto& [metric, metric_name] : metric_names) {
        if (metric_name == name) return metric;
    }
    return std::nullopt;
}

std::span<const Metric> all_metrics() {
    static constexpr auto metrics = [] {
        std::array<Metric, metric_names.size()> result{};
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = metric_names[i].first;
        return result;
    }();
    return metrics;
}

}  // namespace neuroprim
