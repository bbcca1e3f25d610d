#include "bounds/projections.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace neuroprim {

namespace {

constexpr std::size_t euclidean_directions = 32;

bool is_euclidean(Metric metric) {
    return metric == Metric::euclidean || metric == Metric::ceil_2d;
}

/// Σ |a − b| over pairs: the gap after the k-th smallest lies between k and n − k of them.
double sum_of_differences(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double sum = 0;
    for (std::size_t k = 1; k < values.size(); ++k) {
        const auto before = static_cast<double>(k);
        sum += before * (n - before) * (values[k] - values[k - 1]);
    }
    return sum;
}

}  // namespace

bool projections_suit(const Weights& weights) {
    if (weights.form() != Weights::Form::points) return false;
    const Metric metric = weights.metric();
    return is_euclidean(metric) || metric == Metric::manhattan || metric == Metric::maximum;
}

std::size_t projection_count(const Weights& weights) {
    return is_euclidean(weights.metric()) ? euclidean_directions : 2;
}

double projected_sum(const Weights& weights, std::size_t k) {
    double across = k == 0 ? 1 : 0;
    double along = k == 0 ? 0 : 1;
    double share = 1;
    if (weights.metric() == Metric::maximum) {
        // max(|x|, |y|) = (|x + y| + |x − y|) / 2
        across = 1;
        along = k == 0 ? 1 : -1;
        share = 0.5;
    } else if (is_euclidean(weights.metric())) {
        const auto count = static_cast<double>(euclidean_directions);
        const double angle = std::numbers::pi * static_cast<double>(k) / count;
        across = std::cos(angle);
        along = std::sin(angle);
        // The projections of a unit segment on all directions add up to at most 1 / sin(π / 2k).
        share = std::sin(std::numbers::pi / (2 * count));
    }
    std::vector<double> values;
    values.reserve(weights.points().size());
    for (const auto& [x, y] : weights.points()) values.push_back(across * x + along * y);
    return share * sum_of_differences(values);
}

}  // namespace neuroprim
