#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "formats/streets/free_ways.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim {
using namespace formats;

namespace {

constexpr std::size_t most_points_with_obstacles = 2'000;
constexpr std::size_t most_corners_of_obstacles = 5'000;

/// Where shortest ways may bend: a corner of an area with the corners before and after it.
struct Corner {
    Point at;
    Point before;
    Point after;
};

double turn_at(const Corner& corner) {
    const auto& [at, before, after] = corner;
    return (at.x - before.x) * (after.y - at.y) - (at.y - before.y) * (after.x - at.x);
}

/// Twice the signed area that the ring surrounds, positive when it runs to the left.
double doubled_area(std::span<const Point> ring) {
    double sum = 0;
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
        sum += (ring[j].x - ring[0].x) * (ring[i].y - ring[0].y) - (ring[i].x - ring[0].x) * (ring[j].y - ring[0].y);
    }
    return sum;
}

/// A ring without points that repeat, its closing one too.
std::vector<Point> open_ring(std::span<const Point> ring) {
    std::vector<Point> result;
    for (const Point p : ring) {
        if (result.empty() || result.back() != p) result.push_back(p);
    }
    while (result.size() > 1 && result.front() == result.back()) result.pop_back();
    return result;
}

/// Shortest ways bend only where an area bulges outwards. Of areas with several rings, some of which are holes, all
/// corners are kept.
std::vector<Corner> bending_corners(const std::vector<MapFeatures::Area>& areas) {
    constexpr double nearly_straight = 1e-9;
    std::vector<Corner> corners;
    for (const auto& area : areas) {
        for (const auto& closed : area.rings) {
            const std::vector<Point> ring = open_ring(closed);
            if (ring.size() < 3) continue;
            const double sign = doubled_area(ring) < 0 ? -1 : 1;
            for (std::size_t i = 0; i < ring.size(); ++i) {
                const Corner corner{ring[i], ring[(i + ring.size() - 1) % ring.size()], ring[(i + 1) % ring.size()]};
                const double sides = std::hypot(corner.at.x - corner.before.x, corner.at.y - corner.before.y) *
                                     std::hypot(corner.after.x - corner.at.x, corner.after.y - corner.at.y);
                const bool bulges = sign * turn_at(corner) >= -nearly_straight * sides;
                if (bulges || area.rings.size() > 1) corners.push_back(corner);
            }
        }
    }
    return corners;
}

/// Does a way from `p` touch the corner without cutting it off? Only such ways are parts of shortest ones.
bool touches(const Corner& corner, Point p) {
    const auto side = [&](Point q) {
        return (static_cast<long double>(corner.at.x) - p.x) * (static_cast<long double>(q.y) - p.y) -
               (static_cast<long double>(corner.at.y) - p.y) * (static_cast<long double>(q.x) - p.x);
    };
    const long double before = side(corner.before);
    const long double after = side(corner.after);
    return !((before > 0 && after < 0) || (before < 0 && after > 0));
}

/// The visibility graph over corners, and shortest ways through it (Lozano-Pérez and Wesley, 1979).
class Detours {
public:
    Detours(const FreeWays& free, std::vector<Corner> corners, std::span<const Point> points, Metric metric)
        : free_(free), corners_(std::move(corners)), points_(points), metric_(metric), near_(corners_.size()) {
        for (std::uint32_t c = 0; c < corners_.size(); ++c) {
            for (std::uint32_t d = 0; d < c; ++d) {
                const Point from = corners_[c].at;
                const Point to = corners_[d].at;
                if (!touches(corners_[d], from) || !touches(corners_[c], to) || free_.is_blocked(from, to)) continue;
                const double length = distance(metric_, from, to);
                near_[c].push_back({length, d});
                near_[d].push_back({length, c});
            }
        }
        for (const Point p : points_) seen_.push_back(corners_seen_from(p));
    }

    /// Weights of all pairs as a lower triangle, and how the edges run that are not straight.
    void measure(std::vector<double>& lower, StreetMap& map) {
        const auto n = static_cast<Vertex>(points_.size());
        lower.assign(points_.size() * (points_.size() - 1) / 2, Weights::infinity);
        std::vector<std::uint32_t> corners;
        for (Vertex u = 0; u < n; ++u) {
            bool knows_ways = false;
            for (Vertex v = u + 1; v < n; ++v) {
                const Point from = points_[index(u)];
                const Point to = points_[index(v)];
                if (!free_.is_blocked(from, to)) {
                    lower[pair_index(u, v)] = distance(metric_, from, to);
                    continue;
                }
                if (!knows_ways) find_ways_from(u);
                knows_ways = true;
                Hop last{Weights::infinity, none};
                for (const auto& [length, corner] : seen_[index(v)]) {
                    last = std::min(last, Hop{length_[corner] + length, corner});
                }
                if (last.corner == none) continue;
                lower[pair_index(u, v)] = last.length;
                corners.clear();
                for (auto c = last.corner; c != none; c = parent_[c]) corners.push_back(c);
                const std::size_t begin = map.points.size();
                for (auto c = corners.rbegin(); c != corners.rend(); ++c) map.points.push_back(corners_[*c].at);
                map.lines.push_back({u, v, begin, map.points.size(), 0});
            }
        }
    }

private:
    static constexpr std::uint32_t none = 0xffff'ffff;

    struct Hop {
        double length = 0;
        std::uint32_t corner = 0;

        // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the defaulted comparison with 0 for its own
        friend auto operator<=>(const Hop&, const Hop&) = default;
    };

    [[nodiscard]] std::vector<Hop> corners_seen_from(Point p) const {
        std::vector<Hop> seen;
        for (std::uint32_t c = 0; c < corners_.size(); ++c) {
            const Point at = corners_[c].at;
            if (touches(corners_[c], p) && !free_.is_blocked(p, at)) seen.push_back({distance(metric_, p, at), c});
        }
        return seen;
    }

    /// Dijkstra's algorithm from a point over the corners.
    void find_ways_from(Vertex u) {
        length_.assign(corners_.size(), Weights::infinity);
        parent_.assign(corners_.size(), none);
        std::priority_queue<Hop, std::vector<Hop>, std::greater<>> open;
        for (const Hop& hop : seen_[index(u)]) {
            length_[hop.corner] = hop.length;
            open.push(hop);
        }
        while (!open.empty()) {
            const Hop nearest = open.top();
            open.pop();
            if (nearest.length > length_[nearest.corner]) continue;
            for (const Hop& hop : near_[nearest.corner]) {
                const double length = nearest.length + hop.length;
                if (length >= length_[hop.corner]) continue;
                length_[hop.corner] = length;
                parent_[hop.corner] = nearest.corner;
                open.push({length, hop.corner});
            }
        }
    }

    const FreeWays& free_;
    std::vector<Corner> corners_;
    std::span<const Point> points_;
    Metric metric_;
    std::vector<std::vector<Hop>> near_;  // (corners) that see each other
    std::vector<std::vector<Hop>> seen_;  // (points) corners that each sees
    std::vector<double> length_;          // (corners) from the last point that was asked about
    std::vector<std::uint32_t> parent_;   // (corners) the one before, or none
};

void check_points(const Instance& instance, std::span<const Obstacle> obstacles, const FreeWays& free) {
    const auto points = instance.weights.points();
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (const auto area = free.holding(points[index(v)])) {
            throw InputError(fmt::format(
                "vertex {} lies inside the obstacle {}, where no edge can reach it: move it, or cut the area",
                instance.label(v), obstacles[*area].called));
        }
    }
}

}  // namespace

Instance around_obstacles(Instance instance, std::span<const Obstacle> obstacles) {
    if (obstacles.empty()) return instance;
    const Metric metric = instance.weights.metric();
    if (instance.weights.form() != Weights::Form::points) {
        throw InputError(
            "obstacles are for points, which are joined by straight lines, and this is a graph with "
            "edges of its own: leave out the edges that pass them");
    }
    if (metric != Metric::euclidean && metric != Metric::great_circle) {
        throw InputError(
            fmt::format("ways around obstacles are measured by euclidean or great-circle, not by {}: "
                        "--metric chooses one of them",
                        to_string(metric)));
    }
    const auto given = instance.weights.points();
    const std::vector<Point> points(given.begin(), given.end());
    if (points.size() > most_points_with_obstacles) {
        throw InputError(
            fmt::format("obstacles are for up to {} points, since every pair gets a way of its own, and "
                        "there are {}: leave out --obstacles, or solve parts",
                        most_points_with_obstacles, points.size()));
    }
    std::vector<MapFeatures::Area> areas;
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
        areas.push_back({static_cast<std::uint32_t>(k), obstacles[k].rings});
    }
    std::vector<Corner> corners = bending_corners(areas);
    if (corners.size() > most_corners_of_obstacles) {
        throw InputError(
            fmt::format("obstacles may have up to {} corners where ways bend, and these have {}: "
                        "simplify the areas (ogr2ogr -simplify does)",
                        most_corners_of_obstacles, corners.size()));
    }
    const FreeWays free(areas, points);
    check_points(instance, obstacles, free);

    auto map = std::make_shared<StreetMap>();
    map->has_streets = false;
    map->is_on_earth = metric == Metric::great_circle;
    for (const Obstacle& obstacle : obstacles) {
        map->areas.insert(map->areas.end(), obstacle.rings.begin(), obstacle.rings.end());
    }
    std::vector<double> lower;
    Detours(free, std::move(corners), points, metric).measure(lower, *map);
    instance.weights = Weights::from_lower_triangle(static_cast<Vertex>(points.size()), lower);
    instance.layout = points;
    instance.map = std::move(map);
    return instance;
}

}  // namespace neuroprim
