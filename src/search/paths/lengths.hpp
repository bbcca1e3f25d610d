#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::paths {

/// Edge lengths of a complete graph of n vertices and of one more, vertex n, that is at distance 0 from all of them:
/// a shortest closed tour through all n + 1, opened at vertex n, is a shortest Hamiltonian path with free ends.
/// Small graphs are tabulated, and the commonest metrics are computed in place: no call per edge.
class Lengths {
public:
    explicit Lengths(const Weights& weights) : weights_(&weights), points_(weights.points()), n_(weights.size()) {
        if (n_ <= tabulated) {
            const std::size_t width = index(n_) + 1;
            table_.assign(width * width, 0);
            for (Vertex u = 0; u < n_; ++u) {
                for (Vertex v = 0; v < n_; ++v) {
                    if (u != v) table_[index(u) * width + index(v)] = weights(u, v);
                }
            }
            kind_ = Kind::table;
        } else if (!points_.empty() && weights.metric() == Metric::euclidean) {
            kind_ = Kind::euclidean;
        } else if (!points_.empty() && weights.metric() == Metric::euc_2d) {
            kind_ = Kind::rounded;
        }
    }

    /// The vertex that opens the tour.
    [[nodiscard]] Vertex opening() const { return n_; }

    [[nodiscard]] double operator()(Vertex u, Vertex v) const {
        if (kind_ == Kind::table) return table_[index(u) * (index(n_) + 1) + index(v)];
        if (u == n_ || v == n_) return 0;
        if (kind_ == Kind::any) return (*weights_)(u, v);
        const double dx = points_[index(u)].x - points_[index(v)].x;
        const double dy = points_[index(u)].y - points_[index(v)].y;
        const double straight = std::sqrt(dx * dx + dy * dy);
        return kind_ == Kind::rounded ? std::floor(straight + 0.5) : straight;
    }

private:
    enum class Kind { table, euclidean, rounded, any };

    /// Up to here the table stays in the cache.
    static constexpr Vertex tabulated = 400;

    const Weights* weights_;
    std::span<const Point> points_;
    Vertex n_;
    Kind kind_ = Kind::any;
    std::vector<double> table_;  // (n + 1, n + 1)
};

}  // namespace neuroprim::paths
