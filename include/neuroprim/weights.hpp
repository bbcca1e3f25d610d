#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "neuroprim/metric.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// The weighted graph of an instance, in the form it came in: points, a full matrix, or sparse edges.
///
/// Points are never expanded to n² numbers; distances are computed when asked for. Weights are symmetric,
/// non-negative and at most 1e150, as are coordinates; `infinity` stands for "no such edge".
///
/// What a graph is made of never changes: copies share it, and points and matrices may stay where their owner has
/// them (an array of another language, a mapped file).
class Weights {
public:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    enum class Form { points, matrix, sparse };

    /// No vertices at all.
    Weights() = default;

    /// The complete graph on `points`.
    [[nodiscard]] static Weights from_points(std::vector<Point> points, Metric metric = Metric::euclidean);

    /// The same without copying them: `keeper` owns what `points` sees, and lives as long as these weights do.
    [[nodiscard]] static Weights from_points(std::span<const Point> points, std::shared_ptr<const void> keeper,
                                             Metric metric = Metric::euclidean);

    /// `rows` holds n × n weights, read where they are: `keeper` owns them. The diagonal may hold anything.
    /// Throws InputError, after one look at each, when they are not symmetric, negative, no numbers or too large.
    [[nodiscard]] static Weights from_matrix(Vertex n, std::span<const double> rows,
                                             std::shared_ptr<const void> keeper);

    /// `lower` holds w(1,0), w(2,0), w(2,1), w(3,0), …: n(n−1)/2 numbers, `infinity` where there is no edge.
    [[nodiscard]] static Weights from_lower_triangle(Vertex n, std::span<const double> lower);

    /// Any edge list; of parallel edges the lightest stays. A list that joins every pair is kept as a matrix.
    /// Throws InputError on a loop, a vertex outside [0, n), or a weight that is negative, not finite or too large.
    [[nodiscard]] static Weights from_edges(Vertex n, std::vector<WeightedEdge> edges);

    /// Throws InputError naming the first vertex or edge whose numbers are no longer those of a graph: their owner
    /// may have changed them, or points were never looked at. O(n) for points, O(n²) for matrices, O(1) for sparse
    /// edges.
    void check() const;

    [[nodiscard]] Vertex size() const { return n_; }
    [[nodiscard]] Form form() const { return static_cast<Form>(data_.index()); }
    [[nodiscard]] std::size_t edge_count() const { return edge_count_; }
    [[nodiscard]] bool is_complete() const;

    /// Weight of the edge uv, `infinity` if the graph has none. O(1), or O(log degree) on sparse graphs.
    [[nodiscard]] double operator()(Vertex u, Vertex v) const;
    [[nodiscard]] bool has_edge(Vertex u, Vertex v) const { return (*this)(u, v) < infinity; }

    /// Calls `visit(v, weight)` for every neighbour v of u, in increasing order of v.
    template <class Visit>
    void for_each_neighbour(Vertex u, Visit&& visit) const;

    /// The points and their metric; empty when the graph was given by weights.
    [[nodiscard]] std::span<const Point> points() const;
    [[nodiscard]] Metric metric() const;

    /// The same points measured otherwise. Throws InputError when the graph has no points.
    [[nodiscard]] Weights with_metric(Metric metric) const;

    /// Every edge once, u < v, in lexicographic order. n(n−1)/2 of them on complete graphs.
    [[nodiscard]] std::vector<WeightedEdge> edges() const;

private:
    struct Points {
        std::span<const Point> points;
        std::shared_ptr<const void> keeper;
        Metric metric;
    };
    struct Matrix {
        std::span<const double> rows;  // (n, n), symmetric, infinity where there is no edge; the diagonal is not read
        std::shared_ptr<const void> keeper;
    };
    struct Sparse {
        std::vector<std::size_t> begin;  // (n + 1): the neighbours of u stand at [begin[u], begin[u + 1])
        std::vector<Vertex> neighbour;   // (2m), increasing inside each vertex
        std::vector<double> weight;      // (2m)
    };

    Vertex n_ = 0;
    std::size_t edge_count_ = 0;
    std::variant<Points, Matrix, Sparse> data_;
};

template <class Visit>
void Weights::for_each_neighbour(Vertex u, Visit&& visit) const {
    if (const auto* sparse = std::get_if<Sparse>(&data_)) {
        for (std::size_t k = sparse->begin[u]; k < sparse->begin[u + 1]; ++k) {
            visit(sparse->neighbour[k], sparse->weight[k]);
        }
        return;
    }
    for (Vertex v = 0; v < n_; ++v) {
        if (v == u) continue;
        if (const double w = (*this)(u, v); w < infinity) visit(v, w);
    }
}

}  // namespace neuroprim
