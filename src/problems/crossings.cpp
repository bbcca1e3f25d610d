#include "problems/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neuroprim {

namespace {

/// On which side of the line from `a` to `b` does `c` lie: 1, −1, or 0 on it.
int side_of_line(Point a, Point b, Point c) {
    // Wide enough that the products of coordinates that are doubles lose little.
    const long double left = (static_cast<long double>(b.x) - a.x) * (static_cast<long double>(c.y) - a.y);
    const long double right = (static_cast<long double>(b.y) - a.y) * (static_cast<long double>(c.x) - a.x);
    return left > right ? 1 : left < right ? -1 : 0;
}

bool ranges_are_apart(double a, double b, double c, double d) {
    return std::max(a, b) < std::min(c, d) || std::max(c, d) < std::min(a, b);
}

double degrees_from_ddd_mm(double value) {
    const double whole = std::trunc(value);
    return whole + (value - whole) * 5 / 3;
}

}  // namespace

bool properly_cross(const PlaneSegment& a, const PlaneSegment& b) {
    if (ranges_are_apart(a.from.x, a.to.x, b.from.x, b.to.x)) return false;
    if (ranges_are_apart(a.from.y, a.to.y, b.from.y, b.to.y)) return false;
    return side_of_line(a.from, a.to, b.from) * side_of_line(a.from, a.to, b.to) < 0 &&
           side_of_line(b.from, b.to, a.from) * side_of_line(b.from, b.to, a.to) < 0;
}

EdgePlan::EdgePlan(const Instance& instance) : instance_(&instance) {
    const auto positions = instance.positions();
    at_.assign(positions.begin(), positions.end());
    const bool is_points = instance.weights.form() == Weights::Form::points;
    if (is_points && instance.weights.metric() == Metric::geo) {
        for (Point& p : at_) p = {degrees_from_ddd_mm(p.y), degrees_from_ddd_mm(p.x)};
    }
}

Point EdgePlan::end(Vertex v, Vertex other) const {
    const bool is_contracted = !instance_->root_ends.empty() && v == instance_->root;
    return is_contracted ? instance_->root_ends[index(other)] : at_[index(v)];
}

PlaneSegment EdgePlan::segment(Vertex u, Vertex v) const {
    return {end(u, v), end(v, u)};
}

void EdgePlan::append_segments(std::vector<PlaneSegment>& segments, Vertex u, Vertex v) const {
    if (!instance_->map || instance_->map->has_streets) {
        segments.push_back(segment(u, v));
        return;
    }
    std::vector<Point> path = {end(u, v)};
    instance_->map->append_between(path, u, v);
    path.push_back(end(v, u));
    for (std::size_t i = 1; i < path.size(); ++i) segments.push_back({path[i - 1], path[i]});
}

std::vector<std::pair<Edge, Edge>> crossings(const Instance& instance, const Tree& tree) {
    std::vector<std::pair<Edge, Edge>> result;
    if (instance.positions().empty()) return result;
    const EdgePlan plan(instance);
    std::vector<PlaneSegment> segments;
    std::vector<std::size_t> edge_of;  // segment
    for (std::size_t k = 0; k < tree.edges.size(); ++k) {
        plan.append_segments(segments, tree.edges[k].u, tree.edges[k].v);
        edge_of.resize(segments.size(), k);
    }
    std::vector<std::size_t> order(segments.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto left = [&](std::size_t k) { return std::min(segments[k].from.x, segments[k].to.x); };
    const auto right = [&](std::size_t k) { return std::max(segments[k].from.x, segments[k].to.x); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return left(a) < left(b); });
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size() && left(order[j]) <= right(order[i]); ++j) {
            const std::size_t a = edge_of[order[i]];
            const std::size_t b = edge_of[order[j]];
            if (a != b && properly_cross(segments[order[i]], segments[order[j]])) {
                pairs.emplace_back(std::minmax(a, b));
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto& [first, second] : pairs) result.emplace_back(tree.edges[first], tree.edges[second]);
    return result;
}

CrossingIndex::CrossingIndex(const Instance& instance)
    : plan_(instance), above_(index(instance.size())), has_edge_(index(instance.size()), 0) {
    const auto positions = instance.positions();
    low_ = positions.front();
    Point high = low_;
    const auto widen = [&](Point p) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    };
    for (Vertex v = 1; v < instance.size(); ++v) {
        const PlaneSegment segment = plan_.segment(0, v);
        widen(segment.from);
        widen(segment.to);
    }
    for (const Point& p : instance.root_ends) widen(p);
    columns_ = rows_ = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(instance.size()) / 2)));
    cell_x_ = std::max((high.x - low_.x) / columns_, 1e-300);
    cell_y_ = std::max((high.y - low_.y) / rows_, 1e-300);
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
}

/// The cells of the rectangles that hold the segment, one for each column that it passes. Rounding may not leave one
/// out, so each reaches a little farther. `visit` returns whether to go on.
template <class Visit>
void CrossingIndex::for_each_cell(const PlaneSegment& segment, Visit&& visit) const {
    const bool is_turned = segment.from.x > segment.to.x;
    const Point a = is_turned ? segment.to : segment.from;
    const Point b = is_turned ? segment.from : segment.to;
    const auto cell = [](double value, int count) { return static_cast<int>(std::clamp(value, 0.0, count - 1.0)); };
    constexpr double slack = 1e-6;  // of a cell
    const int first = cell((a.x - low_.x) / cell_x_ - slack, columns_);
    const int last = cell((b.x - low_.x) / cell_x_ + slack, columns_);
    for (int column = first; column <= last; ++column) {
        const double from_x = std::clamp(low_.x + column * cell_x_, a.x, b.x);
        const double to_x = std::clamp(low_.x + (column + 1) * cell_x_, a.x, b.x);
        const double width = b.x - a.x;
        const double from_y = first == last || width <= 0 ? a.y : a.y + (b.y - a.y) * ((from_x - a.x) / width);
        const double to_y = first == last || width <= 0 ? b.y : a.y + (b.y - a.y) * ((to_x - a.x) / width);
        const int low = cell((std::min(from_y, to_y) - low_.y) / cell_y_ - slack, rows_);
        const int high = cell((std::max(from_y, to_y) - low_.y) / cell_y_ + slack, rows_);
        for (int row = low; row <= high; ++row) {
            if (!visit(static_cast<std::size_t>(column) * static_cast<std::size_t>(rows_) +
                       static_cast<std::size_t>(row))) {
                return;
            }
        }
    }
}

void CrossingIndex::insert(Vertex u, Vertex v) {
    above_[index(v)] = plan_.segment(u, v);
    has_edge_[index(v)] = 1;
    for_each_cell(above_[index(v)], [&](std::size_t cell) {
        cells_[cell].push_back(v);
        return true;
    });
}

void CrossingIndex::erase(Vertex v) {
    if (has_edge_[index(v)] == 0) return;
    has_edge_[index(v)] = 0;
    for_each_cell(above_[index(v)], [&](std::size_t cell) {
        auto& inside = cells_[cell];
        const auto place = std::find(inside.begin(), inside.end(), v);
        *place = inside.back();
        inside.pop_back();
        return true;
    });
}

void CrossingIndex::clear() {
    for (auto& cell : cells_) cell.clear();
    std::fill(has_edge_.begin(), has_edge_.end(), char{0});
}

bool CrossingIndex::crosses(Vertex u, Vertex v) const {
    const PlaneSegment segment = plan_.segment(u, v);
    bool found = false;
    for_each_cell(segment, [&](std::size_t cell) {
        found = std::any_of(cells_[cell].begin(), cells_[cell].end(),
                            [&](Vertex other) { return properly_cross(segment, above_[index(other)]); });
        return !found;
    });
    return found;
}

}  // namespace neuroprim
