#include "problems/plane_ways.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace neuroprim {

namespace {

/// On which side of the line from `a` to `b` does `c` lie: 1 on the left, −1 on the right, or 0 on it.
int side_of_line(Point a, Point b, Point c) {
    // Wide enough that the products of coordinates that are doubles lose little.
    const long double left = (static_cast<long double>(b.x) - a.x) * (static_cast<long double>(c.y) - a.y);
    const long double right = (static_cast<long double>(b.y) - a.y) * (static_cast<long double>(c.x) - a.x);
    return left > right ? 1 : left < right ? -1 : 0;
}

bool ranges_are_apart(double a, double b, double c, double d) {
    return std::max(a, b) < std::min(c, d) || std::max(c, d) < std::min(a, b);
}

bool is_inside_segment(Point p, Point a, Point b) {
    if (p == a || p == b || side_of_line(a, b, p) != 0) return false;
    return !ranges_are_apart(a.x, b.x, p.x, p.x) && !ranges_are_apart(a.y, b.y, p.y, p.y);
}

/// The way with those points of the other one that lie on it.
std::vector<Point> with_touching_points(std::span<const Point> way, std::span<const Point> other) {
    std::vector<Point> result = {way.front()};
    for (std::size_t i = 1; i < way.size(); ++i) {
        const Point from = way[i - 1];
        const auto first = static_cast<std::ptrdiff_t>(result.size());
        for (const Point p : other) {
            if (is_inside_segment(p, from, way[i])) result.push_back(p);
        }
        const auto distance = [&](Point p) { return std::abs(p.x - from.x) + std::abs(p.y - from.y); };
        std::sort(result.begin() + first, result.end(), [&](Point p, Point q) { return distance(p) < distance(q); });
        result.push_back(way[i]);
    }
    return result;
}

/// Does `p` lie on the left of the way from `a` by `corner` to `b`?
bool is_left_of_bend(Point a, Point corner, Point b, Point p) {
    const bool left_before = side_of_line(a, corner, p) > 0;
    const bool left_after = side_of_line(corner, b, p) > 0;
    return side_of_line(a, corner, b) >= 0 ? left_before && left_after : left_before || left_after;
}

/// Two ways with all points in both where they touch.
class TouchingWays {
public:
    TouchingWays(std::span<const Point> a, std::span<const Point> b)
        : a_(with_touching_points(a, b)), b_(with_touching_points(b, a)) {}

    /// Looks at every stretch that both have, from where they meet to where they leave each other.
    [[nodiscard]] bool cross() const {
        for (std::size_t i = 1; i + 1 < a_.size(); ++i) {
            for (std::size_t j = 1; j + 1 < b_.size(); ++j) {
                if (a_[i] != b_[j]) continue;
                const bool is_reversed = a_[i + 1] == b_[j - 1];
                const std::ptrdiff_t step = is_reversed ? -1 : 1;
                const auto at = [&](std::ptrdiff_t k) { return static_cast<std::ptrdiff_t>(j) + step * k; };
                if (a_[i - 1] == b_[static_cast<std::size_t>(at(-1))]) continue;  // began before
                if (!is_reversed && a_[i - 1] == b_[j + 1]) continue;             // began before, and ends here
                if (changes_sides(i, at)) return true;
            }
        }
        return false;
    }

private:
    template <class At>
    [[nodiscard]] bool changes_sides(std::size_t i, const At& at) const {
        const auto b = [&](std::ptrdiff_t k) { return b_[static_cast<std::size_t>(at(k))]; };
        const auto is_inside = [&](std::ptrdiff_t k) {
            return at(k) > 0 && at(k) + 1 < static_cast<std::ptrdiff_t>(b_.size());
        };
        std::ptrdiff_t length = 0;
        while (i + static_cast<std::size_t>(length) + 1 < a_.size() && is_inside(length) &&
               a_[i + static_cast<std::size_t>(length) + 1] == b(length + 1)) {
            ++length;
        }
        const std::size_t last = i + static_cast<std::size_t>(length);
        if (last + 1 >= a_.size() || !is_inside(length)) return false;  // one of them ends there: they touch
        return is_left_of_bend(a_[i - 1], a_[i], a_[i + 1], b(-1)) !=
               is_left_of_bend(a_[last - 1], a_[last], a_[last + 1], b(length + 1));
    }

    std::vector<Point> a_;
    std::vector<Point> b_;
};

}  // namespace

bool properly_cross(const PlaneSegment& a, const PlaneSegment& b) {
    if (ranges_are_apart(a.from.x, a.to.x, b.from.x, b.to.x)) return false;
    if (ranges_are_apart(a.from.y, a.to.y, b.from.y, b.to.y)) return false;
    return side_of_line(a.from, a.to, b.from) * side_of_line(a.from, a.to, b.to) < 0 &&
           side_of_line(b.from, b.to, a.from) * side_of_line(b.from, b.to, a.to) < 0;
}

bool ways_cross(std::span<const Point> a, std::span<const Point> b) {
    for (std::size_t i = 1; i < a.size(); ++i) {
        for (std::size_t j = 1; j < b.size(); ++j) {
            if (properly_cross({a[i - 1], a[i]}, {b[j - 1], b[j]})) return true;
        }
    }
    // Only bends can be where one goes through the other without a segment that does.
    return (a.size() > 2 || b.size() > 2) && TouchingWays(a, b).cross();
}

}  // namespace neuroprim
