#include "policy/planar_features.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <span>

#include "neuroprim/random.hpp"
#include "policy/stop_request.hpp"

namespace neuroprim::policy {

namespace {

constexpr int power_rounds = 60;
constexpr int stress_rounds = 30;

/// Vertices that are looked at between two questions whether to stop: some have thousands of neighbours.
constexpr std::size_t vertices_between_questions = 64;

/// Distances from each of `sources` to all n vertices, row by row.
struct Distances {
    std::vector<Vertex> sources;
    std::vector<double> values;  // (sources, n)
    std::size_t n = 0;

    [[nodiscard]] const double* row(std::size_t k) const { return values.data() + k * n; }
};

/// Dijkstra; `infinity` where no path leads.
void shortest_paths(const Weights& weights, Vertex source, double* distance, StopRequest& stop) {
    std::fill(distance, distance + weights.size(), Weights::infinity);
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[source] = 0;
    queue.emplace(0.0, source);
    for (std::size_t settled = 0; !queue.empty();) {
        const auto [near, u] = queue.top();
        queue.pop();
        if (near > distance[u]) continue;
        if (++settled % vertices_between_questions == 0) stop.throw_if_made();
        weights.for_each_neighbour(u, [&, base = near](Vertex v, double weight) {
            if (base + weight >= distance[v]) return;
            distance[v] = base + weight;
            queue.emplace(distance[v], v);
        });
    }
}

void add_source(Distances& distances, const Weights& weights, Vertex source, StopRequest& stop) {
    distances.sources.push_back(source);
    distances.values.resize(distances.values.size() + distances.n);
    double* row = distances.values.data() + distances.values.size() - distances.n;
    if (weights.is_complete()) {
        for (Vertex v = 0; v < weights.size(); ++v) row[v] = v == source ? 0 : weights(source, v);
    } else {
        shortest_paths(weights, source, row, stop);
    }
}

/// Every vertex of a small graph; landmarks far from each other in a large one.
Distances measured(const Weights& weights, StopRequest& stop) {
    Distances result;
    result.n = static_cast<std::size_t>(weights.size());
    const bool all = weights.size() <= most_fully_scaled;
    const Vertex count = all ? weights.size() : landmark_count;
    std::vector<double> nearest(result.n, Weights::infinity);
    for (Vertex k = 0; k < count; ++k) {
        stop.throw_if_made();
        const auto farthest = std::max_element(nearest.begin(), nearest.end()) - nearest.begin();
        add_source(result, weights, all ? k : static_cast<Vertex>(farthest), stop);
        const double* row = result.row(static_cast<std::size_t>(k));
        for (std::size_t v = 0; v < result.n; ++v) nearest[v] = std::min(nearest[v], row[v]);
    }
    double longest = 0;
    for (const double d : result.values) {
        if (d < Weights::infinity) longest = std::max(longest, d);
    }
    for (double& d : result.values) {
        if (d == Weights::infinity) d = longest > 0 ? 1.5 * longest : 1;
    }
    return result;
}

/// The two leading eigenvectors of the doubly centred squared distances between the sources, by power iteration on a
/// matrix shifted so that its negative end cannot win.
struct Scaling {
    std::vector<double> centred;      // (k, k)
    std::vector<double> mean_square;  // (k) mean squared distance of each source to the others
    std::vector<double> axis[2];      // (k) unit eigenvectors
    double eigenvalue[2] = {0, 0};
    std::size_t size = 0;

    Scaling(const Distances& distances, StopRequest& stop) : size(distances.sources.size()) {
        centred.resize(size * size);
        mean_square.assign(size, 0.0);
        double grand = 0;
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                const double d = distances.row(i)[distances.sources[j]];
                centred[i * size + j] = d * d;
                mean_square[i] += d * d / static_cast<double>(size);
            }
            grand += mean_square[i] / static_cast<double>(size);
        }
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                centred[i * size + j] = -0.5 * (centred[i * size + j] - mean_square[i] - mean_square[j] + grand);
            }
        }
        Random random(1);
        std::vector<double> probe(size);
        for (double& x : probe) x = random.uniform() - 0.5;
        double reach = 0;
        for (int round = 0; round < 10; ++round) reach = normalise(multiplied(probe, 0), probe);
        for (auto& a : axis) {
            a.resize(size);
            for (double& x : a) x = random.uniform() - 0.5;
        }
        normalise(axis[0], axis[0]);
        for (int round = 0; round < power_rounds; ++round) {
            stop.throw_if_made();
            for (int k = 0; k < 2; ++k) {
                std::vector<double> next = multiplied(axis[k], 0.5 * reach);
                if (k == 1) {
                    const double overlap = dot(next, axis[0]);
                    for (std::size_t i = 0; i < size; ++i) next[i] -= overlap * axis[0][i];
                }
                normalise(next, axis[k]);
            }
        }
        for (int k = 0; k < 2; ++k) eigenvalue[k] = std::max(0.0, dot(axis[k], multiplied(axis[k], 0)));
    }

    [[nodiscard]] std::vector<double> multiplied(const std::vector<double>& x, double shift) const {
        std::vector<double> result(size);
        for (std::size_t i = 0; i < size; ++i) {
            double sum = shift * x[i];
            for (std::size_t j = 0; j < size; ++j) sum += centred[i * size + j] * x[j];
            result[i] = sum;
        }
        return result;
    }
    [[nodiscard]] double dot(const std::vector<double>& a, const std::vector<double>& b) const {
        double sum = 0;
        for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
        return sum;
    }
    double normalise(const std::vector<double>& from, std::vector<double>& to) const {
        const double length = std::sqrt(dot(from, from));
        for (std::size_t i = 0; i < size; ++i) to[i] = length > 0 ? from[i] / length : 0;
        return length;
    }
};

/// Each vertex is placed by its distances to the sources; for the sources themselves this is classical scaling.
std::vector<Point> triangulated(const Distances& distances, StopRequest& stop) {
    const Scaling scaling(distances, stop);
    std::vector<Point> result(distances.n);
    for (std::size_t v = 0; v < distances.n; ++v) {
        if (v % vertices_between_questions == 0) stop.throw_if_made();
        double place[2] = {0, 0};
        for (std::size_t k = 0; k < scaling.size; ++k) {
            const double d = distances.row(k)[v];
            for (int a = 0; a < 2; ++a) place[a] -= 0.5 * scaling.axis[a][k] * (d * d - scaling.mean_square[k]);
        }
        for (int a = 0; a < 2; ++a) {
            const bool is_noise = scaling.eigenvalue[a] <= 1e-9 * scaling.eigenvalue[0];
            place[a] = is_noise ? 0 : place[a] / std::sqrt(scaling.eigenvalue[a]);
        }
        result[v] = {place[0], place[1]};
    }
    return result;
}

/// One round of majorisation: each vertex moves to the mean of where its sources would have it.
std::vector<Point> moved(const Distances& distances, const std::vector<Point>& points, StopRequest& stop) {
    std::vector<Point> result(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (v % vertices_between_questions == 0) stop.throw_if_made();
        Point sum;
        std::size_t count = 0;
        for (std::size_t k = 0; k < distances.sources.size(); ++k) {
            const auto s = static_cast<std::size_t>(distances.sources[k]);
            if (s == v) continue;
            const double dx = points[v].x - points[s].x;
            const double dy = points[v].y - points[s].y;
            const double length = std::sqrt(dx * dx + dy * dy);
            const double ratio = length > 1e-12 ? distances.row(k)[v] / length : 0;
            sum.x += points[s].x + ratio * dx;
            sum.y += points[s].y + ratio * dy;
            ++count;
        }
        const double share = count > 0 ? 1.0 / static_cast<double>(count) : 0;
        result[v] = {sum.x * share, sum.y * share};
    }
    return result;
}

}  // namespace

std::vector<Point> feature_points(const Instance& instance, const std::function<bool()>& interrupted) {
    if (const auto given = instance.positions(); !given.empty()) return {given.begin(), given.end()};
    if (instance.size() < 2) return std::vector<Point>(static_cast<std::size_t>(instance.size()));
    StopRequest stop(interrupted);
    const Distances distances = measured(instance.weights, stop);
    std::vector<Point> points = triangulated(distances, stop);
    for (int round = 0; round < stress_rounds; ++round) points = moved(distances, points, stop);
    return points;
}

}  // namespace neuroprim::policy
