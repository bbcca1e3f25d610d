#include "formats/pictures/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace neuroprim::formats {

namespace {

constexpr double pi = std::numbers::pi;

double degrees_of_ddd_mm(double value) {
    const double whole = std::trunc(value);
    return whole + (value - whole) * 5 / 3;
}

bool is_on_earth(const Instance& instance) {
    if (instance.map) return instance.map->is_on_earth;
    const Metric metric = instance.weights.metric();
    return instance.weights.form() == Weights::Form::points &&
           (metric == Metric::geo || metric == Metric::great_circle);
}

Vertex height(const RootedTree& tree) {
    return tree.depth[index(tree.order.back())];
}

/// Hangs the tree from its middle, so that it is no deeper than it must be; from its start when that is hardly
/// deeper, because there the rings count the steps from the root.
RootedTree hang_from_middle(const Tree& tree, Vertex n) {
    RootedTree from_start = hang(tree, tree.start, n);
    const RootedTree from_end = hang(tree, from_start.order.back(), n);
    const Vertex diameter = height(from_end);
    if (4 * height(from_start) <= 5 * ((diameter + 1) / 2)) return from_start;
    Vertex middle = from_end.order.back();
    for (Vertex step = 0; step < diameter / 2; ++step) middle = from_end.parent[index(middle)];
    return hang(tree, middle, n);
}

/// Equal steps along a spiral whose turns lie two steps apart.
TreeLayout spiral(const RootedTree& path, Vertex n) {
    TreeLayout layout{std::vector<Point>(index(n)), {}};
    double angle = 2 * pi;
    for (const Vertex v : path.order) {
        const double radius = 2 * angle / (2 * pi);
        layout.at[index(v)] = {radius * std::cos(angle), radius * std::sin(angle)};
        angle += 1 / radius;
    }
    return layout;
}

}  // namespace

Bounds bounds_of(std::span<const Point> points) {
    if (points.empty()) return {};
    Bounds bounds{points.front(), points.front()};
    for (const auto& [x, y] : points) {
        bounds.low = {std::min(bounds.low.x, x), std::min(bounds.low.y, y)};
        bounds.high = {std::max(bounds.high.x, x), std::max(bounds.high.y, y)};
    }
    return bounds;
}

std::vector<Point> map_positions(const Instance& instance) {
    const auto given = instance.positions();
    std::vector<Point> at(given.begin(), given.end());
    if (is_on_earth(instance) && !instance.map && instance.weights.metric() == Metric::geo) {
        for (auto& p : at) p = {degrees_of_ddd_mm(p.y), degrees_of_ddd_mm(p.x)};
    }
    return at;
}

double planar_shrink(const Instance& instance) {
    if (!is_on_earth(instance)) return 1;
    const Bounds bounds = bounds_of(map_positions(instance));
    const double middle_latitude = (bounds.low.y + bounds.high.y) / 2;
    return std::max(0.1, std::cos(middle_latitude * pi / 180));
}

std::vector<Point> planar_positions(const Instance& instance) {
    auto at = map_positions(instance);
    const double shrink = planar_shrink(instance);
    for (auto& p : at) p.x *= shrink;
    return at;
}

TreeLayout radial_layout(const Tree& tree, Vertex n) {
    if (n == 0) return {};
    const auto degree = degrees(tree, n);
    if (tree.edges.size() > 1 && *std::max_element(degree.begin(), degree.end()) <= 2) {
        const RootedTree from_start = hang(tree, tree.start, n);
        return spiral(hang(tree, from_start.order.back(), n), n);
    }
    const RootedTree rooted = hang_from_middle(tree, n);
    std::vector<double> leaves(index(n), 0);
    for (auto v = rooted.order.rbegin(); v != rooted.order.rend(); ++v) {
        leaves[index(*v)] = std::max(leaves[index(*v)], 1.0);
        if (const Vertex p = rooted.parent[index(*v)]; p != no_vertex) leaves[index(p)] += leaves[index(*v)];
    }

    TreeLayout layout{std::vector<Point>(index(n)), std::vector<double>(index(n), 0)};
    const double all = leaves[index(rooted.order.front())];
    std::vector<double> next(index(n), 0);  // the angle at which the part of the next child begins
    for (const Vertex v : rooted.order) {
        const Vertex p = rooted.parent[index(v)];
        if (p == no_vertex) continue;
        const double share = 2 * pi * leaves[index(v)] / all;
        const double angle = next[index(p)] + share / 2;
        next[index(v)] = next[index(p)];
        next[index(p)] += share;
        const double depth = rooted.depth[index(v)];
        layout.at[index(v)] = {depth * std::cos(angle), depth * std::sin(angle)};
        layout.angle[index(v)] = angle;
    }
    return layout;
}

void append_bends(std::vector<Point>& points, const TreeLayout& layout, Vertex u, Vertex v) {
    if (layout.angle.empty()) return;
    const Point a = layout.at[index(u)];
    const Point b = layout.at[index(v)];
    const double radius_a = std::hypot(a.x, a.y);
    const double radius_b = std::hypot(b.x, b.y);
    if (radius_a == 0 || radius_b == 0) return;
    const double from = layout.angle[index(u)];
    const double turn = layout.angle[index(v)] - from;
    // Curves in steps of the same radii keep their order; those that nobody could tell from a line need no steps.
    constexpr int pieces = 16;
    if (std::abs(turn) * std::max(radius_a, radius_b) < 0.05) return;
    for (int i = 1; i < pieces; ++i) {
        const double t = static_cast<double>(i) / pieces;
        const double radius = radius_a + t * (radius_b - radius_a);
        const double angle = from + turn * t * t * (3 - 2 * t);
        points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
}

Tree search_tree(const Weights& weights) {
    Tree tree;
    std::vector<bool> seen(index(weights.size()));
    std::vector<Vertex> queue;
    for (Vertex root = 0; root < weights.size(); ++root) {
        if (seen[index(root)]) continue;
        if (root > 0) tree.edges.push_back({0, root});
        seen[index(root)] = true;
        queue.assign(1, root);
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const Vertex u = queue[head];
            weights.for_each_neighbour(u, [&](Vertex v, double) {
                if (seen[index(v)]) return;
                seen[index(v)] = true;
                tree.edges.push_back({u, v});
                queue.push_back(v);
            });
        }
    }
    return tree;
}

}  // namespace neuroprim::formats
