#include "search/routing/clusters.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "neuroprim/tree.hpp"
#include "search/routing/routing_worker.hpp"

namespace neuroprim::routing {

namespace {

void settle_cluster(const Weights& weights, std::span<const Vertex> members, Clusters& clusters) {
    const auto points = weights.points();
    Point mean;
    for (const Vertex v : members) {
        mean.x += points[index(v)].x / static_cast<double>(members.size());
        mean.y += points[index(v)].y / static_cast<double>(members.size());
    }
    const auto cluster = static_cast<Vertex>(clusters.middle.size());
    Vertex middle = members.front();
    double least = std::numeric_limits<double>::infinity();
    for (const Vertex v : members) {
        clusters.cluster[index(v)] = cluster;
        const double away = distance(weights.metric(), points[index(v)], mean);
        if (away < least) {
            least = away;
            middle = v;
        }
    }
    clusters.middle.push_back(middle);
    clusters.mass.push_back(static_cast<double>(members.size()));
}

void split(const Weights& weights, std::span<Vertex> members, std::size_t count, Clusters& clusters) {
    if (count <= 1 || members.size() < 2) return settle_cluster(weights, members, clusters);
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
    split(weights, members.first(size_left), count_left, clusters);
    split(weights, members.subspan(size_left), count - count_left, clusters);
}

}  // namespace

Clusters gather_clusters(const Weights& points, std::size_t count) {
    Clusters clusters;
    clusters.cluster.resize(index(points.size()));
    std::vector<Vertex> members(index(points.size()));
    std::iota(members.begin(), members.end(), 0);
    split(points, members, count, clusters);
    return clusters;
}

std::vector<Vertex> tree_of_clusters(const Weights& points, std::size_t count, std::int64_t steps, Random random,
                                     const StopToken& stop) {
    const Clusters clusters = gather_clusters(points, count);
    std::vector<Point> places;
    for (const Vertex v : clusters.middle) places.push_back(points.points()[index(v)]);
    const auto m = static_cast<Vertex>(places.size());
    const Weights few = Weights::from_points(std::move(places), points.metric());
    const Lengths lengths(few);

    // The best star of the clusters to begin with.
    std::vector<double> star(index(m), 0);
    for (Vertex u = 0; u < m; ++u) {
        for (Vertex v = 0; v < m; ++v) star[index(u)] += u == v ? 0 : clusters.mass[index(v)] * lengths(u, v);
    }
    Tree tree{static_cast<Vertex>(std::min_element(star.begin(), star.end()) - star.begin()), {}};
    for (Vertex v = 0; v < m; ++v) {
        if (v != tree.start) tree.edges.push_back({tree.start, v});
    }
    RoutingWorker worker(lengths, clusters.mass, random);
    worker.adopt(tree);
    worker.run(steps, stop);
    tree = worker.tree();

    std::vector<Vertex> parents(index(points.size()), no_vertex);
    for (Vertex v = 0; v < points.size(); ++v) {
        const Vertex middle = clusters.middle[index(clusters.cluster[index(v)])];
        if (v != middle) parents[index(v)] = middle;
    }
    for (const auto& [u, v] : tree.edges) parents[index(clusters.middle[index(v)])] = clusters.middle[index(u)];
    return parents;
}

}  // namespace neuroprim::routing
