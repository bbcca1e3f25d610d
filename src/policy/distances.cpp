#include "policy/distances.hpp"

#include <cmath>

#include "graph/parallel.hpp"
#include "policy/paging.hpp"

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

}  // namespace neuroprim::policy
