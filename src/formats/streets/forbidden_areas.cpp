#include "formats/streets/forbidden_areas.hpp"

namespace neuroprim::formats {

namespace {

/// Twice the area of the triangle, positive when it turns left.
double turn(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Do the insides of both segments cross? Touching is not crossing.
bool cross(Point a, Point b, Point c, Point d) {
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

std::vector<GeoBox> boxes_of(const std::vector<MapFeatures::Area>& areas) {
    std::vector<GeoBox> boxes;
    for (const auto& area : areas) {
        GeoBox& box = boxes.emplace_back();
        for (const auto& ring : area.rings) {
            for (const Point p : ring) box.include(p);
        }
    }
    return boxes;
}

/// By the rule of even and odd crossings of a ray to the right.
bool is_inside(const MapFeatures::Area& area, Point p) {
    bool inside = false;
    for (const auto& ring : area.rings) {
        for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
            const Point a = ring[i];
            const Point b = ring[j];
            if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
        }
    }
    return inside;
}

template <class Sides>
std::vector<GeoBox> boxes_of_sides(const Sides& sides) {
    std::vector<GeoBox> boxes;
    boxes.reserve(sides.size());
    for (const auto& side : sides) boxes.push_back(box_of(side.from, side.to));
    return boxes;
}

}  // namespace

std::vector<ForbiddenAreas::Side> ForbiddenAreas::sides_of(const std::vector<MapFeatures::Area>& areas) {
    std::vector<Side> sides;
    for (std::size_t area = 0; area < areas.size(); ++area) {
        for (const auto& ring : areas[area].rings) {
            for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
                sides.push_back({ring[j], ring[i], area});
            }
        }
    }
    return sides;
}

ForbiddenAreas::ForbiddenAreas(const std::vector<MapFeatures::Area>& areas)
    : areas_(&areas),
      boxes_(boxes_of(areas)),
      sides_(sides_of(areas)),
      side_tree_(boxes_of_sides(sides_)),
      area_tree_(boxes_) {}

std::optional<std::size_t> ForbiddenAreas::holding(Point at) const {
    std::optional<std::size_t> found;
    area_tree_.overlapping(box_of(at, at), [&](std::size_t area) {
        if (is_inside((*areas_)[area], at) && (!found || area < *found)) found = area;
        return true;
    });
    return found;
}

std::optional<std::size_t> ForbiddenAreas::crossed_by(std::span<const Point> path) const {
    for (std::size_t i = 1; i < path.size(); ++i) {
        const Point a = path[i - 1];
        const Point b = path[i];
        if (auto area = holding({(a.x + b.x) / 2, (a.y + b.y) / 2})) return area;
        std::optional<std::size_t> found;
        side_tree_.overlapping(box_of(a, b), [&](std::size_t side) {
            const auto& [from, to, area] = sides_[side];
            if (cross(a, b, from, to) && (!found || area < *found)) found = area;
            return true;
        });
        if (found) return found;
    }
    return std::nullopt;
}

}  // namespace neuroprim::formats
