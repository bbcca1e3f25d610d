#include "problems/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neuroprim {

namespace {

double degrees_from_ddd_mm(double value) {
    const double whole = std::trunc(value);
    return whole + (value - whole) * 5 / 3;
}

}  // namespace

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

void EdgePlan::find_way(std::vector<Point>& way, Vertex u, Vertex v) const {
    way.assign(1, end(u, v));
    if (instance_->map) instance_->map->append_between(way, u, v);
    way.push_back(end(v, u));
}

bool EdgePlan::cross(const Edge& one, const Edge& other) const {
    if (!instance_->map) return properly_cross(segment(one.u, one.v), segment(other.u, other.v));
    std::vector<Point> a;
    std::vector<Point> b;
    find_way(a, one.u, one.v);
    find_way(b, other.u, other.v);
    return ways_cross(a, b);
}

namespace {

/// The edges of a tree from left to right. Only those whose ranges of x overlap can cross.
class EdgeSweep {
public:
    EdgeSweep(const Instance& instance, const Tree& tree) : ways_(tree.edges.size()) {
        const EdgePlan plan(instance);
        for (std::size_t k = 0; k < ways_.size(); ++k) {
            plan.find_way(ways_[k], tree.edges[k].u, tree.edges[k].v);
            const auto by_x = [](Point a, Point b) { return a.x < b.x; };
            const auto [least, most] = std::minmax_element(ways_[k].begin(), ways_[k].end(), by_x);
            ranges_.push_back({least->x, most->x, k});
        }
        std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.left < b.left; });
    }

    /// How many pairs may cross. O(m log m).
    [[nodiscard]] std::size_t overlapping_pairs() const {
        std::size_t sum = 0;
        for (auto one = ranges_.begin(); one != ranges_.end(); ++one) {
            const auto behind = [](double right, const Range& other) { return right < other.left; };
            const auto last = std::upper_bound(one + 1, ranges_.end(), one->right, behind);
            sum += static_cast<std::size_t>(last - one - 1);
        }
        return sum;
    }

    /// (edge, edge) by their numbers in the tree, increasing.
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> crossing_pairs() const {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (auto one = ranges_.begin(); one != ranges_.end(); ++one) {
            for (auto other = one + 1; other != ranges_.end() && other->left <= one->right; ++other) {
                if (ways_cross(ways_[one->edge], ways_[other->edge])) {
                    pairs.emplace_back(std::minmax(one->edge, other->edge));
                }
            }
        }
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    }

private:
    struct Range {
        double left;
        double right;
        std::size_t edge;
    };

    std::vector<std::vector<Point>> ways_;  // (edges)
    std::vector<Range> ranges_;             // of x, by their left ends
};

}  // namespace

std::vector<std::pair<Edge, Edge>> crossings(const Instance& instance, const Tree& tree) {
    std::vector<std::pair<Edge, Edge>> result;
    if (instance.positions().empty()) return result;
    for (const auto& [one, other] : EdgeSweep(instance, tree).crossing_pairs()) {
        result.emplace_back(tree.edges[one], tree.edges[other]);
    }
    return result;
}

std::optional<std::size_t> number_of_crossings(const Instance& instance, const Tree& tree, std::size_t most_pairs) {
    constexpr std::size_t pairs_per_edge = 50;  // that are compared while it is put into its place
    if (pairs_per_edge * tree.edges.size() > most_pairs) return std::nullopt;
    const EdgeSweep edges(instance, tree);
    if (edges.overlapping_pairs() > most_pairs) return std::nullopt;
    return edges.crossing_pairs().size();
}

CrossingIndex::CrossingIndex(const Instance& instance) : plan_(instance), above_(index(instance.size())) {
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
    if (instance.map) {
        for (const Point& p : instance.map->points) widen(p);
    }
    columns_ = rows_ = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(instance.size()) / 2)));
    cell_x_ = std::max((high.x - low_.x) / columns_, 1e-300);
    cell_y_ = std::max((high.y - low_.y) / rows_, 1e-300);
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
}

/// The cells of the rectangles that hold the segment, one for each column that it passes. Rounding may not leave one
/// out, so each reaches a little farther. `visit` returns whether to go on, and so does this.
template <class Visit>
bool CrossingIndex::for_each_cell(const PlaneSegment& segment, Visit&& visit) const {
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
                return false;
            }
        }
    }
    return true;
}

/// A cell that several segments pass is visited for each.
template <class Visit>
void CrossingIndex::for_each_cell(std::span<const Point> way, Visit&& visit) const {
    for (std::size_t i = 1; i < way.size(); ++i) {
        if (!for_each_cell(PlaneSegment{way[i - 1], way[i]}, visit)) return;
    }
}

void CrossingIndex::insert(Vertex u, Vertex v) {
    plan_.find_way(above_[index(v)], u, v);
    for_each_cell(above_[index(v)], [&](std::size_t cell) {
        cells_[cell].push_back(v);
        return true;
    });
}

void CrossingIndex::erase(Vertex v) {
    for_each_cell(above_[index(v)], [&](std::size_t cell) {
        auto& inside = cells_[cell];
        const auto place = std::find(inside.begin(), inside.end(), v);
        *place = inside.back();
        inside.pop_back();
        return true;
    });
    above_[index(v)].clear();
}

void CrossingIndex::clear() {
    for (auto& cell : cells_) cell.clear();
    for (auto& way : above_) way.clear();
}

Vertex CrossingIndex::crossed_by(Vertex u, Vertex v) const {
    plan_.find_way(asked_, u, v);
    Vertex found = no_vertex;
    for_each_cell(asked_, [&](std::size_t cell) {
        const auto place = std::find_if(cells_[cell].begin(), cells_[cell].end(),
                                        [&](Vertex other) { return ways_cross(asked_, above_[index(other)]); });
        if (place != cells_[cell].end()) found = *place;
        return found == no_vertex;
    });
    return found;
}

std::optional<std::pair<Edge, Edge>> some_crossing(const Instance& instance, const Tree& tree) {
    if (instance.positions().empty() || tree.edges.empty()) return std::nullopt;
    const std::vector<int> degree = degrees(tree, instance.size());
    const auto hub = static_cast<Vertex>(std::max_element(degree.begin(), degree.end()) - degree.begin());
    const RootedTree rooted = hang(tree, hub, instance.size());
    // Straight lines from the same point do not cross: those of the hub need not be in the index.
    const bool is_fan = !instance.map && instance.root_ends.empty();
    CrossingIndex index_of_edges(instance);
    std::vector<Vertex> fan;
    const auto crossing = [&](Vertex v) -> std::optional<std::pair<Edge, Edge>> {
        const Vertex u = rooted.parent[index(v)];
        const Vertex other = index_of_edges.crossed_by(u, v);
        if (other == no_vertex) return std::nullopt;
        return std::pair{Edge{rooted.parent[index(other)], other}, Edge{u, v}};
    };
    for (const Vertex v : rooted.order) {
        if (v == hub) continue;
        if (is_fan && rooted.parent[index(v)] == hub) {
            fan.push_back(v);
            continue;
        }
        if (auto found = crossing(v)) return found;
        index_of_edges.insert(rooted.parent[index(v)], v);
    }
    for (const Vertex v : fan) {
        if (auto found = crossing(v)) return found;
    }
    return std::nullopt;
}

}  // namespace neuroprim
