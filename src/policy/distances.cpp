#include "policy/distances.hpp"

#include <cmath>

#include "graph/parallel.hpp"
#include "policy/model.hpp"
#include "policy/paging.hpp"
#include "policy/specification.hpp"

namespace neuroprim::policy {

AlignedFloats log_distances(std::span<const Point> points, int threads, StopRequest& stop) {
    const std::size_t n = points.size();
    AlignedFloats result(n * n);
    bring_in(result, threads, stop);
    float* table = result.data();
    const float steps = std::sqrt(static_cast<float>(n));
    parallel_for(threads, n, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t u = begin; u < end; ++u) {
            stop.throw_if_made();
            table[u * n + u] = 0;
            for (std::size_t v = u + 1; v < n; ++v) {
                const auto x = static_cast<float>(points[u].x - points[v].x);
                const auto y = static_cast<float>(points[u].y - points[v].y);
                table[u * n + v] = table[v * n + u] = std::log1p(steps * std::sqrt(x * x + y * y));
            }
        }
    });
    return result;
}

AlignedFloats log_lengths(const Weights& weights, double unit, std::span<const Point> points, int threads,
                          StopRequest& stop) {
    const std::size_t n = points.size();
    AlignedFloats result;
    if (weights.is_complete()) {
        result = AlignedFloats(n * n);
        bring_in(result, threads, stop);
        for (std::size_t v = 0; v < n; ++v) result.data()[v * n + v] = 0;
    } else {
        result = log_distances(points, threads, stop);
    }
    const double steps = std::sqrt(static_cast<double>(n)) * unit;
    parallel_for(threads, n, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t u = begin; u < end; ++u) {
            stop.throw_if_made();
            float* row = result.data() + u * n;
            weights.for_each_neighbour(static_cast<Vertex>(u), [&](Vertex v, double weight) {
                row[v] = static_cast<float>(std::log1p(steps * weight));
            });
        }
    });
    return result;
}

bool are_straight(const Weights& weights) {
    return weights.form() == Weights::Form::points && weights.metric() == Metric::euclidean;
}

bool sees_true_weights(const PolicyConfig& config, const Weights& weights) {
    return sees_weights(config) && !are_straight(weights);
}

double feature_unit(const PolicyConfig& config, const Weights& weights, std::span<const Point> points,
                    const std::function<bool()>& interrupted) {
    if (!sees_true_weights(config, weights)) return weight_unit(weights, points);
    StopRequest stop(interrupted);
    double sum = 0;
    double count = 0;
    for (Vertex u = 0; u < weights.size(); ++u) {
        if (u % 64 == 0) stop.throw_if_made();
        weights.for_each_neighbour(u, [&](Vertex v, double weight) {
            const Point a = points[index(u)];
            const Point b = points[index(v)];
            const double apart = std::hypot(a.x - b.x, a.y - b.y);
            if (v < u || !(apart > 0) || !(weight > 0)) return;
            sum += std::log(apart / weight);
            count += 1;
        });
    }
    return count > 0 ? std::exp(sum / count) : 1;
}

}  // namespace neuroprim::policy
