#include "heuristics/quick_paths.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "graph/neighbours.hpp"
#include "graph/parallel.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

/// How far along Hilbert's curve of order 16 the cell (x, y) lies.
std::uint32_t place_on_curve(std::uint32_t x, std::uint32_t y) {
    std::uint32_t place = 0;
    for (std::uint32_t side = 1U << 15U; side > 0; side >>= 1U) {
        const bool right = (x & side) != 0;
        const bool upper = (y & side) != 0;
        place += side * side * ((right ? 3U : 0U) ^ (upper ? 1U : 0U));
        if (upper) continue;
        if (right) {
            x = ~x;
            y = ~y;
        }
        std::swap(x, y);
    }
    return place;
}

/// Joins paths by the shortest of their ends' near edges till none is left that fits. `ends` are the vertices with
/// less than two edges; one more round is needed as long as there is more than one path.
void join_paths(const Weights& weights, const std::vector<Vertex>& ends, DisjointSets& paths,
                std::vector<int>& degree, std::vector<Edge>& edges, int threads, const StopToken& stop) {
    constexpr std::size_t near_count = 6;
    const bool all = ends.size() == index(weights.size());
    const Weights among = all ? Weights() : induced(weights, ends);
    const Neighbours near = nearest_neighbours(all ? weights : among, near_count, threads, stop);
    std::vector<WeightedEdge> candidates;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        for (const Vertex other : near.of(static_cast<Vertex>(k))) {
            const Vertex u = ends[k];
            const Vertex v = ends[index(other)];
            if (paths.find(u) != paths.find(v)) candidates.push_back({std::min(u, v), std::max(u, v), weights(u, v)});
        }
    }
    constexpr unsigned comparisons_between_looks = 100'000;
    PacedStopToken paced(stop, comparisons_between_looks);
    std::sort(candidates.begin(), candidates.end(), [&](const WeightedEdge& a, const WeightedEdge& b) {
        paced.check();
        return std::tie(a.weight, a.u, a.v) < std::tie(b.weight, b.u, b.v);
    });
    for (const auto& [u, v, weight] : candidates) {
        if (degree[index(u)] == 2 || degree[index(v)] == 2 || !paths.join(u, v)) continue;
        ++degree[index(u)];
        ++degree[index(v)];
        edges.push_back({u, v});
    }
}

}  // namespace

std::vector<Vertex> curve_order(std::span<const Point> points) {
    if (points.empty()) return {};
    Point low = points.front();
    Point high = low;
    for (const auto& [x, y] : points) {
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
    }
    const double extent = std::max({high.x - low.x, high.y - low.y, 1e-300});
    std::vector<std::pair<std::uint32_t, Vertex>> order;
    order.reserve(points.size());
    for (const auto& [x, y] : points) {
        const auto cell = [&](double offset) { return static_cast<std::uint32_t>(65535.0 * (offset / extent)); };
        order.emplace_back(place_on_curve(cell(x - low.x), cell(y - low.y)), static_cast<Vertex>(order.size()));
    }
    std::sort(order.begin(), order.end());
    std::vector<Vertex> result(order.size());
    std::transform(order.begin(), order.end(), result.begin(), [](const auto& entry) { return entry.second; });
    return result;
}

Tree path_in_order(std::span<const Vertex> order) {
    Tree path{order.front(), {}};
    path.edges.reserve(order.size());
    for (std::size_t k = 1; k < order.size(); ++k) path.edges.push_back({order[k - 1], order[k]});
    return path;
}

std::vector<Vertex> vertices_along(const Tree& path, Vertex n) {
    const std::vector<int> degree = degrees(path, n);
    Vertex end = path.start;
    for (const auto& [u, v] : path.edges) {
        if (degree[index(v)] == 1) end = v;
    }
    return hang(path, end, n).order;
}

Tree curve_path(const Weights& weights) {
    return path_in_order(curve_order(weights.points()));
}

Tree greedy_edge_path(const Weights& weights, int threads, const StopToken& stop) {
    const Vertex n = weights.size();
    DisjointSets paths(n);
    std::vector<int> degree(index(n), 0);
    std::vector<Vertex> ends(index(n));
    std::iota(ends.begin(), ends.end(), 0);
    Tree path{0, {}};
    while (static_cast<Vertex>(path.edges.size()) + 1 < n) {
        join_paths(weights, ends, paths, degree, path.edges, threads, stop);
        std::erase_if(ends, [&](Vertex v) { return degree[index(v)] == 2; });
    }
    return grown_from(path, n > 1 ? ends.front() : 0, n);
}

Tree greedy_cell_path(const Weights& weights, int threads, const StopToken& stop) {
    constexpr std::size_t points_per_cell = 2000;
    std::vector<Vertex> order = curve_order(weights.points());
    const std::size_t cells = (order.size() + points_per_cell - 1) / points_per_cell;
    const auto cell = [&](std::size_t k) {
        const std::size_t begin = order.size() * k / cells;
        return std::span(order).subspan(begin, order.size() * (k + 1) / cells - begin);
    };
    parallel_for(threads, cells, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
            stop.check();
            const std::vector<Vertex> members(cell(k).begin(), cell(k).end());
            std::vector<Point> points;
            points.reserve(members.size());
            for (const Vertex v : members) points.push_back(weights.points()[index(v)]);
            const Weights inside = Weights::from_points(std::move(points), weights.metric());
            const Tree path = greedy_edge_path(inside, 1, stop);
            auto place = cell(k).begin();
            *place = members[index(path.start)];
            for (const auto& [u, v] : path.edges) *++place = members[index(v)];
        }
    });
    for (std::size_t k = 1; k < cells; ++k) {
        const Vertex end = cell(k - 1).back();
        if (weights(end, cell(k).back()) < weights(end, cell(k).front())) std::ranges::reverse(cell(k));
    }
    return path_in_order(order);
}

}  // namespace neuroprim
