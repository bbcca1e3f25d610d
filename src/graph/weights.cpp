#include "neuroprim/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neuroprim/error.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim {

namespace {

std::size_t pairs(Vertex n) {
    const auto count = static_cast<std::size_t>(n);
    return count < 2 ? 0 : count * (count - 1) / 2;
}

/// Squares of larger numbers do not fit into a double, and sums of many might not.
constexpr double largest_number = 1e150;

void check_weight(Vertex u, Vertex v, double weight) {
    if (!(weight >= 0)) {
        throw InputError(fmt::format("edge {}-{}: expected a weight of at least 0, found {}", u, v, weight));
    }
    if (weight > largest_number && weight < Weights::infinity) {
        throw InputError(fmt::format("edge {}-{}: expected a weight of at most {:g}, found {}; infinity is no edge",
                                     u, v, largest_number, weight));
    }
}

void check_edge(const WeightedEdge& edge, Vertex n) {
    for (const Vertex v : {edge.u, edge.v}) {
        if (v < 0 || v >= n) throw InputError(fmt::format("vertex {} is not among the {} vertices", v, n));
    }
    if (edge.u == edge.v) throw InputError(fmt::format("an edge joins vertex {} to itself", edge.u));
    if (!std::isfinite(edge.weight) || edge.weight < 0) {
        throw InputError(
            fmt::format("edge {}-{}: expected a finite weight of at least 0, found {}", edge.u, edge.v, edge.weight));
    }
    check_weight(edge.u, edge.v, edge.weight);
}

/// Every pair at most once, u < v, sorted, the lightest of parallel edges.
void normalise(std::vector<WeightedEdge>& edges) {
    for (auto& edge : edges) {
        if (edge.u > edge.v) std::swap(edge.u, edge.v);
    }
    std::sort(edges.begin(), edges.end(), [](const WeightedEdge& a, const WeightedEdge& b) {
        if (a.u != b.u) return a.u < b.u;
        if (a.v != b.v) return a.v < b.v;
        return a.weight < b.weight;
    });
    const auto same_pair = [](const WeightedEdge& a, const WeightedEdge& b) { return a.u == b.u && a.v == b.v; };
    edges.erase(std::unique(edges.begin(), edges.end(), same_pair), edges.end());
}

/// How many edges the lower triangle has in the square at (row, column). Throws InputError on what is no weight.
std::size_t edges_in_square(Vertex n, std::span<const double> rows, Edge corner, Vertex side) {
    std::size_t count = 0;
    for (Vertex u = corner.u; u < std::min(n, corner.u + side); ++u) {
        for (Vertex v = corner.v; v < std::min(u, corner.v + side); ++v) {
            const double w = rows[index(u) * index(n) + index(v)];
            const double back = rows[index(v) * index(n) + index(u)];
            check_weight(u, v, w);
            if (w != back) {
                throw InputError(fmt::format(
                    "expected a symmetric matrix, found {} from {} to {} and {} from {} to {}", w, u, v, back, v, u));
            }
            if (w < Weights::infinity) ++count;
        }
    }
    return count;
}

/// How many edges a whole matrix has. Throws InputError on what is no weight.
std::size_t edges_in_matrix(Vertex n, std::span<const double> rows) {
    // Square by square: a matrix read by columns would come from memory again for every number.
    constexpr Vertex side = 32;
    std::size_t count = 0;
    for (Vertex top = 0; top < n; top += side) {
        for (Vertex left = 0; left <= top; left += side) count += edges_in_square(n, rows, {top, left}, side);
    }
    return count;
}

void check_points(std::span<const Point> points) {
    const auto fine = [](double x) { return std::abs(x) <= largest_number; };  // no NaN is
    for (std::size_t v = 0; v < points.size(); ++v) {
        const auto& [x, y] = points[v];
        if (fine(x) && fine(y)) continue;
        throw InputError(fmt::format("vertex {}: expected finite coordinates up to {:g}, found ({}, {})", v,
                                     largest_number, x, y));
    }
}

}  // namespace

void Weights::check() const {
    if (const auto* points = std::get_if<Points>(&data_)) check_points(points->points);
    const auto* matrix = std::get_if<Matrix>(&data_);
    if (matrix != nullptr && edges_in_matrix(n_, matrix->rows) != edge_count_) {
        throw InputError("edges have come or gone since this graph was made of its matrix");
    }
}

Weights Weights::from_points(std::vector<Point> points, Metric metric) {
    const auto kept = std::make_shared<const std::vector<Point>>(std::move(points));
    return from_points(*kept, kept, metric);
}

Weights Weights::from_points(std::span<const Point> points, std::shared_ptr<const void> keeper, Metric metric) {
    Weights result;
    result.n_ = static_cast<Vertex>(points.size());
    result.edge_count_ = pairs(result.n_);
    result.data_ = Points{points, std::move(keeper), metric};
    return result;
}

Weights Weights::from_matrix(Vertex n, std::span<const double> rows, std::shared_ptr<const void> keeper) {
    if (rows.size() != index(n) * index(n)) {
        throw InputError(
            fmt::format("a matrix of {} vertices has {} weights, not {}", n, index(n) * index(n), rows.size()));
    }
    Weights result;
    result.n_ = n;
    result.edge_count_ = edges_in_matrix(n, rows);
    result.data_ = Matrix{rows, std::move(keeper)};
    return result;
}

Weights Weights::from_lower_triangle(Vertex n, std::span<const double> lower) {
    if (lower.size() != pairs(n)) {
        throw InputError(
            fmt::format("a lower triangle of {} vertices has {} weights, not {}", n, pairs(n), lower.size()));
    }
    Weights result;
    result.n_ = n;
    const auto size = static_cast<std::size_t>(n);
    auto rows = std::make_shared<std::vector<double>>(size * size, infinity);
    std::size_t k = 0;
    for (std::size_t u = 0; u < size; ++u) {
        for (std::size_t v = 0; v < u; ++v, ++k) {
            const double w = lower[k];
            check_weight(static_cast<Vertex>(u), static_cast<Vertex>(v), w);
            (*rows)[u * size + v] = w;
            (*rows)[v * size + u] = w;
            if (w < infinity) ++result.edge_count_;
        }
    }
    result.data_ = Matrix{*rows, rows};
    return result;
}

Weights Weights::from_edges(Vertex n, std::vector<WeightedEdge> edges) {
    for (const auto& edge : edges) check_edge(edge, n);
    normalise(edges);
    const auto size = static_cast<std::size_t>(n);
    if (n > 1 && edges.size() == pairs(n)) {
        std::vector<double> lower(pairs(n));
        for (const auto& [u, v, w] : edges) lower[pair_index(u, v)] = w;
        return from_lower_triangle(n, lower);
    }

    Sparse sparse;
    sparse.begin.assign(size + 1, 0);
    for (const auto& edge : edges) {
        ++sparse.begin[static_cast<std::size_t>(edge.u) + 1];
        ++sparse.begin[static_cast<std::size_t>(edge.v) + 1];
    }
    for (std::size_t u = 0; u < size; ++u) sparse.begin[u + 1] += sparse.begin[u];
    sparse.neighbour.resize(2 * edges.size());
    sparse.weight.resize(2 * edges.size());
    std::vector<std::size_t> next(sparse.begin.begin(), sparse.begin.end() - 1);
    const auto put = [&](Vertex from, Vertex to, double w) {
        const std::size_t k = next[static_cast<std::size_t>(from)]++;
        sparse.neighbour[k] = to;
        sparse.weight[k] = w;
    };
    // Edges come sorted by (u, v): writing every (v → u) before any (u → v) keeps neighbours increasing.
    for (const auto& [u, v, w] : edges) put(v, u, w);
    for (const auto& [u, v, w] : edges) put(u, v, w);

    Weights result;
    result.n_ = n;
    result.edge_count_ = edges.size();
    result.data_ = std::move(sparse);
    return result;
}

bool Weights::is_complete() const {
    return edge_count_ == pairs(n_);
}

double Weights::operator()(Vertex u, Vertex v) const {
    if (u == v) return infinity;
    const auto a = static_cast<std::size_t>(u);
    const auto b = static_cast<std::size_t>(v);
    if (const auto* points = std::get_if<Points>(&data_)) {
        return distance(points->metric, points->points[a], points->points[b]);
    }
    if (const auto* matrix = std::get_if<Matrix>(&data_)) return matrix->rows[a * static_cast<std::size_t>(n_) + b];
    const auto& sparse = std::get<Sparse>(data_);
    const auto first = sparse.neighbour.begin() + static_cast<std::ptrdiff_t>(sparse.begin[a]);
    const auto last = sparse.neighbour.begin() + static_cast<std::ptrdiff_t>(sparse.begin[a + 1]);
    const auto found = std::lower_bound(first, last, v);
    if (found == last || *found != v) return infinity;
    return sparse.weight[static_cast<std::size_t>(found - sparse.neighbour.begin())];
}

std::span<const Point> Weights::points() const {
    if (const auto* points = std::get_if<Points>(&data_)) return points->points;
    return {};
}

Metric Weights::metric() const {
    const auto* points = std::get_if<Points>(&data_);
    return points ? points->metric : Metric::euclidean;
}

Weights Weights::with_metric(Metric metric) const {
    if (form() != Form::points) throw InputError("a metric needs points, and this graph is given by its weights");
    const auto& points = std::get<Points>(data_);
    return from_points(points.points, points.keeper, metric);
}

std::vector<WeightedEdge> Weights::edges() const {
    std::vector<WeightedEdge> result;
    result.reserve(edge_count_);
    for (Vertex u = 0; u < n_; ++u) {
        for_each_neighbour(u, [&](Vertex v, double w) {
            if (u < v) result.push_back({u, v, w});
        });
    }
    return result;
}

}  // namespace neuroprim
