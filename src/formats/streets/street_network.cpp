#include "formats/streets/street_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "neuroprim/metric.hpp"
#include "neuroprim/street_map.hpp"

namespace neuroprim::formats {

namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;
constexpr double metres_per_degree = 6371008.8 * radians_per_degree;

/// A degree of longitude in degrees of latitude; never zero, so that boxes around poles stay boxes.
double longitude_scale(double latitude) {
    return std::max(1e-6, std::cos(latitude * radians_per_degree));
}

double metres_between(Point a, Point b) {
    return distance(Metric::great_circle, a, b);
}

Point between(Point a, Point b, double along) {
    return {a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)};
}

/// Where on the segment ab the point nearest to p is, from 0 to 1.
double nearest_along(Point a, Point b, Point p, double x_scale) {
    const double dx = x_scale * (b.x - a.x);
    const double dy = b.y - a.y;
    const double length = dx * dx + dy * dy;
    if (length == 0) return 0;
    return std::clamp((x_scale * (p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
}

double squared_distance(Point a, Point b, double x_scale) {
    const double dx = x_scale * (b.x - a.x);
    const double dy = b.y - a.y;
    return dx * dx + dy * dy;
}

}  // namespace

StreetNetwork::StreetNetwork(const MapFeatures& map, double tolerance, Findings& findings) : tolerance_(tolerance) {
    take_lines(map, findings);
    number_positions();
    join_near_ends();
    build_segments();
    join_ends_to_lines();
    tell_touching(findings);
}

void StreetNetwork::take_lines(const MapFeatures& map, Findings& findings) {
    points_.reserve(map.points.size());
    for (const auto& line : map.lines) {
        const std::size_t begin = points_.size();
        std::size_t repeated = 0;
        for (std::size_t k = line.begin; k < line.end; ++k) {
            if (points_.size() > begin && points_.back() == map.points[k]) {
                ++repeated;
            } else {
                points_.push_back(map.points[k]);
            }
        }
        if (points_.size() - begin < 2) {
            points_.resize(begin);
            findings.add(Findings::Kind::no_length, line.feature,
                         [] { return "has a line whose points are all the same: it leads nowhere and is left out"; });
            continue;
        }
        if (repeated > 0) {
            findings.add(Findings::Kind::repeated_points, line.feature,
                         [] { return "repeats a point of its line: such points are read once"; });
        }
        line_of_.resize(points_.size(), static_cast<std::uint32_t>(lines_.size()));
        lines_.push_back({line.feature, begin, points_.size()});
    }
}

bool StreetNetwork::is_end(std::size_t point) const {
    const auto& line = lines_[line_of_[point]];
    return point == line.begin || point + 1 == line.end;
}

void StreetNetwork::number_positions() {
    std::vector<std::uint32_t> order(points_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Point p = points_[a];
        const Point q = points_[b];
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
    });
    node_of_.resize(points_.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t point = order[k];
        const bool is_new = k == 0 || points_[order[k - 1]] != points_[point];
        if (is_new) {
            at_.push_back(points_[point]);
            is_vertex_.push_back(false);
        }
        node_of_[point] = static_cast<std::uint32_t>(at_.size() - 1);
        if (!is_new || is_end(point)) is_vertex_.back() = true;
    }
    same_.resize(at_.size());
    std::iota(same_.begin(), same_.end(), 0U);
}

std::uint32_t StreetNetwork::joined(std::uint32_t node) const {
    while (same_[node] != node) node = same_[node] = same_[same_[node]];
    return node;
}

void StreetNetwork::join(std::uint32_t a, std::uint32_t b) {
    a = joined(a);
    b = joined(b);
    if (a == b) return;
    const auto [first, second] = std::minmax(a, b);
    same_[second] = first;
    is_vertex_[first] = true;
}

void StreetNetwork::join_near_ends() {
    if (tolerance_ <= 0) return;
    std::vector<std::uint32_t> ends;
    for (std::size_t point = 0; point < points_.size(); ++point) {
        if (is_end(point)) ends.push_back(node_of_[point]);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<GeoBox> boxes;
    boxes.reserve(ends.size());
    for (const std::uint32_t node : ends) boxes.push_back(box_of(at_[node], at_[node]));
    const BoxTree tree(boxes);
    const double reach = tolerance_ / metres_per_degree;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        const Point p = at_[ends[k]];
        const double reach_x = reach / longitude_scale(p.y);
        tree.overlapping({{p.x - reach_x, p.y - reach}, {p.x + reach_x, p.y + reach}}, [&](std::size_t other) {
            if (other > k && metres_between(p, at_[ends[other]]) <= tolerance_) join(ends[k], ends[other]);
            return true;
        });
    }
}

void StreetNetwork::build_segments() {
    std::vector<GeoBox> boxes;
    for (const auto& line : lines_) {
        for (std::size_t k = line.begin; k + 1 < line.end; ++k) {
            segments_.push_back(k);
            boxes.push_back(box_of(points_[k], points_[k + 1]));
        }
    }
    segment_tree_.emplace(boxes);
}

std::optional<StreetNetwork::Spot> StreetNetwork::nearest(
    Point from, double most, const std::function<bool(std::size_t, Point)>& allows) const {
    const double x_scale = longitude_scale(from.y);
    const double reach = most / metres_per_degree;
    const auto hit = segment_tree_->nearest(from, x_scale, reach * reach, [&](std::size_t k) {
        const Point a = points_[segments_[k]];
        const Point b = points_[segments_[k] + 1];
        const Point p = between(a, b, nearest_along(a, b, from, x_scale));
        if (allows && !allows(segments_[k], p)) return std::numeric_limits<double>::infinity();
        return squared_distance(from, p, x_scale);
    });
    if (!hit) return std::nullopt;
    const std::size_t segment = segments_[hit->item];
    const Point a = points_[segment];
    const Point b = points_[segment + 1];
    const double along = nearest_along(a, b, from, x_scale);
    // An end is that very point, without rounding.
    const Point at = along == 0 ? a : along == 1 ? b : between(a, b, along);
    return Spot{segment, along, at, metres_between(from, at)};
}

std::uint32_t StreetNetwork::add_node(const Spot& spot) {
    for (const std::size_t point : {spot.segment, spot.segment + 1}) {
        if (metres_between(points_[point], spot.at) > tolerance_) continue;
        const std::uint32_t node = joined(node_of_[point]);
        is_vertex_[node] = true;
        is_vertex_[node_of_[point]] = true;
        return node;
    }
    const auto node = static_cast<std::uint32_t>(at_.size());
    at_.push_back(spot.at);
    same_.push_back(node);
    is_vertex_.push_back(true);
    splits_.push_back({spot.segment, spot.along, node});
    return node;
}

double StreetNetwork::metres_along(std::size_t from, std::size_t to) const {
    return path_length({points_.data() + from, to - from + 1});
}

void StreetNetwork::join_ends_to_lines() {
    if (tolerance_ <= 0) return;
    std::vector<std::uint32_t> uses(at_.size(), 0);
    for (const std::uint32_t node : node_of_) ++uses[joined(node)];
    for (std::size_t point = 0; point < points_.size(); ++point) {
        const std::uint32_t node = joined(node_of_[point]);
        if (!is_end(point) || uses[node] > 1) continue;
        // Not the line's own beginning, which is near its end by nature.
        constexpr double beginning = 4;
        const auto spot = nearest(points_[point], tolerance_, [&](std::size_t segment, Point) {
            if (line_of_[segment] != line_of_[point]) return true;
            return segment >= point ? metres_along(point, segment) > beginning * tolerance_
                                    : metres_along(segment + 1, point) > beginning * tolerance_;
        });
        if (spot) join(node, add_node(*spot));
    }
}

void StreetNetwork::tell_touching(Findings& findings) const {
    std::vector<std::uint32_t> nodes;
    for (const auto& line : lines_) {
        nodes.clear();
        for (std::size_t k = line.begin; k < line.end; ++k) {
            const std::uint32_t node = node_of_[k];
            const bool closes = k + 1 == line.end && joined(node) == joined(node_of_[line.begin]);
            if (is_vertex_[node] && !closes) nodes.push_back(joined(node));
        }
        std::sort(nodes.begin(), nodes.end());
        const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
        if (twice == nodes.end()) continue;
        findings.add(Findings::Kind::self_touching, line.feature, [&] {
            return fmt::format("touches itself at {}: the line is cut there, and its parts are edges of their own",
                               readable_place(at_[*twice]));
        });
    }
}

void StreetNetwork::finish() {
    std::sort(splits_.begin(), splits_.end(), [](const Split& a, const Split& b) {
        if (a.segment != b.segment) return a.segment < b.segment;
        return a.along != b.along ? a.along < b.along : a.node < b.node;
    });
    for (std::size_t k = 1; k < splits_.size(); ++k) {
        const Split& one = splits_[k - 1];
        const Split& other = splits_[k];
        if (one.segment == other.segment && metres_between(at_[one.node], at_[other.node]) <= tolerance_) {
            join(one.node, other.node);
        }
    }
    for (std::size_t node = 0; node < at_.size(); ++node) {
        if (is_vertex_[node]) is_vertex_[joined(static_cast<std::uint32_t>(node))] = true;
    }
}

std::vector<StreetNetwork::Piece> StreetNetwork::pieces() {
    std::vector<Piece> result;
    std::size_t next_split = 0;
    std::vector<Point> path;
    for (std::size_t number = 0; number < lines_.size(); ++number) {
        const auto& line = lines_[number];
        std::uint32_t from = joined(node_of_[line.begin]);
        std::size_t first = line.begin;
        std::size_t inner = shape_.size();
        const auto cut = [&](std::uint32_t node, std::size_t segment) {
            const std::uint32_t to = joined(node);
            path.assign(1, at_[from]);
            path.insert(path.end(), shape_.begin() + static_cast<std::ptrdiff_t>(inner), shape_.end());
            path.push_back(at_[to]);
            result.push_back({from, to, number, first, inner, shape_.size(), path_length(path)});
            from = to;
            first = segment;
            inner = shape_.size();
        };
        for (std::size_t k = line.begin; k + 1 < line.end; ++k) {
            for (; next_split < splits_.size() && splits_[next_split].segment == k; ++next_split) {
                cut(splits_[next_split].node, k);
            }
            const std::uint32_t node = joined(node_of_[k + 1]);
            if (is_vertex_[node]) {
                cut(node, k + 1);
            } else {
                shape_.push_back(points_[k + 1]);
            }
        }
    }
    return result;
}

}  // namespace neuroprim::formats
