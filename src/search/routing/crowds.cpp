#include "search/routing/crowds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "neuroprim/tree.hpp"
#include "search/routing/routing_lane.hpp"

namespace neuroprim::routing {

namespace {

void settle_crowd(const Weights& weights, std::span<const Vertex> members, Crowds& crowds) {
    const auto points = weights.points();
    Point mean;
    for (const Vertex v : members) {
        mean.x += points[index(v)].x / static_cast<double>(members.size());
        mean.y += points[index(v)].y / static_cast<double>(members.size());
    }
    const auto crowd = static_cast<Vertex>(crowds.middle.size());
    Vertex middle = members.front();
    double least = std::numeric_limits<double>::infinity();
    for (const Vertex v : members) {
        crowds.crowd[index(v)] = crowd;
        const double away = distance(weights.metric(), points[index(v)], mean);
        if (away < least) {
            least = away;
            middle = v;
        }
    }
    crowds.middle.push_back(middle);
    crowds.mass.push_back(static_cast<double>(members.size()));
}

void split(const Weights& weights, std::span<Vertex> members, std::size_t count, Crowds& crowds) {
    if (count <= 1 || members.size() < 2) return settle_crowd(weights, members, crowds);
    const auto points = weights.points();
    const auto [left, right] = std::ranges::minmax(members, {}, [&](Vertex v) { return points[index(v)].x; });
    const auto [low, high] = std::ranges::minmax(members, {}, [&](Vertex v) { return points[index(v)].y; });
    const bool wide = points[index(right)].x - points[index(left)].x > points[index(high)].y - points[index(low)].y;
    const auto before = [&](Vertex a, Vertex b) {
        const double at_a = wide ? points[index(a)].x : points[index(a)].y;
        const double at_b = wide ? points[index(b)].x : points[index(b)].y;
        return at_a != at_b ? at_a < at_b : a < b;
    };
    const std::size_t count_left = count / 2;
    const std::size_t size_left = std::clamp<std::size_t>(members.size() * count_left / count, 1, members.size() - 1);
    std::nth_element(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(size_left), members.end(),
                     before);
    split(weights, members.first(size_left), count_left, crowds);
    split(weights, members.subspan(size_left), count - count_left, crowds);
}

}  // namespace

Crowds gather_crowds(const Weights& points, std::size_t count) {
    Crowds crowds;
    crowds.crowd.resize(index(points.size()));
    std::vector<Vertex> members(index(points.size()));
    std::iota(members.begin(), members.end(), 0);
    split(points, members, count, crowds);
    return crowds;
}

std::vector<Vertex> tree_of_crowds(const Weights& points, std::size_t count, std::int64_t steps, Random random,
                                   const Watch& watch) {
    const Crowds crowds = gather_crowds(points, count);
    std::vector<Point> places;
    for (const Vertex v : crowds.middle) places.push_back(points.points()[index(v)]);
    const auto m = static_cast<Vertex>(places.size());
    const Weights few = Weights::from_points(std::move(places), points.metric());
    const Lengths lengths(few);

    // The best star of the crowds to begin with.
    std::vector<double> star(index(m), 0);
    for (Vertex u = 0; u < m; ++u) {
        for (Vertex v = 0; v < m; ++v) star[index(u)] += u == v ? 0 : crowds.mass[index(v)] * lengths(u, v);
    }
    Tree tree{static_cast<Vertex>(std::min_element(star.begin(), star.end()) - star.begin()), {}};
    for (Vertex v = 0; v < m; ++v) {
        if (v != tree.start) tree.edges.push_back({tree.start, v});
    }
    RoutingLane lane(lengths, crowds.mass, random);
    lane.adopt(tree);
    lane.run(steps, watch);
    tree = lane.tree();

    std::vector<Vertex> parents(index(points.size()), no_vertex);
    for (Vertex v = 0; v < points.size(); ++v) {
        const Vertex middle = crowds.middle[index(crowds.crowd[index(v)])];
        if (v != middle) parents[index(v)] = middle;
    }
    for (const auto& [u, v] : tree.edges) parents[index(crowds.middle[index(v)])] = crowds.middle[index(u)];
    return parents;
}

}  // namespace neuroprim::routing
