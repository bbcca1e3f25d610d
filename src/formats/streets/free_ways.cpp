#include <algorithm>
#include <cmath>

#include "formats/streets/free_ways.hpp"

namespace neuroprim::formats {

namespace {

std::vector<GeoBox> boxes_around(const auto& sides) {
    std::vector<GeoBox> boxes;
    boxes.reserve(sides.size());
    for (const auto& side : sides) boxes.push_back(box_of(side.from, side.to));
    return boxes;
}

/// Twice the area of the triangle, positive when it turns left; wide enough for the products of doubles.
long double turn_of(Point a, Point b, Point c) {
    return (static_cast<long double>(b.x) - a.x) * (static_cast<long double>(c.y) - a.y) -
           (static_cast<long double>(b.y) - a.y) * (static_cast<long double>(c.x) - a.x);
}

}  // namespace

std::vector<FreeWays::Side> FreeWays::sides_of(const std::vector<MapFeatures::Area>& areas) {
    std::vector<Side> sides;
    for (const auto& area : areas) {
        for (const auto& ring : area.rings) {
            for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
                if (ring[i] != ring[j]) sides.push_back({ring[j], ring[i]});
            }
        }
    }
    return sides;
}

FreeWays::FreeWays(const std::vector<MapFeatures::Area>& areas, std::span<const Point> points)
    : areas_(areas), sides_(sides_of(areas)), side_tree_(boxes_around(sides_)) {
    GeoBox box;
    for (const Side& side : sides_) box.include(side.from);
    for (const Point p : points) box.include(p);
    const double extent = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
    const double magnitude =
        std::max({std::abs(box.low.x), std::abs(box.low.y), std::abs(box.high.x), std::abs(box.high.y)});
    slack_ = std::max(extent * 1e-10, magnitude * 1e-13);
}

bool FreeWays::is_between_areas(Point at, Point along) const {
    const double length = std::hypot(along.x, along.y);
    const Point aside{-along.y / length * slack_, along.x / length * slack_};
    return areas_.holding({at.x + aside.x, at.y + aside.y}) && areas_.holding({at.x - aside.x, at.y - aside.y});
}

GeoBox FreeWays::widened(GeoBox box) const {
    box.low = {box.low.x - slack_, box.low.y - slack_};
    box.high = {box.high.x + slack_, box.high.y + slack_};
    return box;
}

bool FreeWays::is_near(const Side& side, Point at) const {
    const double length = std::hypot(side.to.x - side.from.x, side.to.y - side.from.y);
    return std::abs(static_cast<double>(turn_of(side.from, side.to, at))) <= slack_ * length;
}

std::optional<std::size_t> FreeWays::holding(Point at) const {
    const auto found = areas_.holding(at);
    if (!found) return found;
    bool is_on_outline = false;
    side_tree_.overlapping(widened(box_of(at, at)), [&](std::size_t k) {
        is_on_outline = is_near(sides_[k], at);
        return !is_on_outline;
    });
    return is_on_outline ? std::nullopt : found;
}

bool FreeWays::is_blocked(Point a, Point b) const {
    const Point along{b.x - a.x, b.y - a.y};
    const double length = std::hypot(along.x, along.y);
    if (length <= slack_) return false;
    // Where the way meets outlines, it may pass from outside to inside: each piece between is one or the other.
    std::vector<double> meetings;
    side_tree_.overlapping(widened(box_of(a, b)), [&](std::size_t k) {
        const auto& [from, to] = sides_[k];
        const long double left = turn_of(a, b, from);
        const long double right = turn_of(a, b, to);
        if ((left > 0 && right > 0) || (left < 0 && right < 0)) {
            // An end that rounding left beside its outline.
            if (is_near(sides_[k], a) || is_near(sides_[k], b)) meetings.push_back(0);
            return true;
        }
        const auto part_of_way = [&](Point p) {
            return ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / (length * length);
        };
        if (left == 0) meetings.push_back(part_of_way(from));
        if (right == 0) meetings.push_back(part_of_way(to));
        if (left != 0 && right != 0) {
            const auto part = static_cast<double>(left / (left - right));
            meetings.push_back(part_of_way({from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)}));
        }
        return true;
    });
    if (meetings.empty()) return false;
    meetings.push_back(0);
    meetings.push_back(1);
    std::sort(meetings.begin(), meetings.end());
    for (std::size_t k = 1; k < meetings.size(); ++k) {
        const double from = std::max(meetings[k - 1], 0.0);
        const double to = std::min(meetings[k], 1.0);
        if ((to - from) * length <= slack_) continue;
        const double middle = (from + to) / 2;
        if (is_between_areas({a.x + middle * along.x, a.y + middle * along.y}, along)) return true;
    }
    return false;
}

}  // namespace neuroprim::formats
