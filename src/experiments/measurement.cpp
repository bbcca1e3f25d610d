#include "experiments/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neuroprim::experiments {

double percent_above(double cost, double reference) {
    return 100 * (cost / reference - 1);
}

std::string measurement_row(const Measurement& m) {
    return fmt::format("{},{},{},{},{},{:.10g},{:.4f},{:.6g}", m.table, m.instance, m.n, m.best_known, m.method,
                       m.cost, m.gap_percent, m.seconds);
}

std::vector<MethodMean> method_means(std::span<const Measurement> measurements) {
    std::vector<MethodMean> result;
    for (const Measurement& m : measurements) {
        auto mean = std::find_if(result.begin(), result.end(),
                                 [&](const MethodMean& other) { return other.method == m.method; });
        if (mean == result.end()) mean = result.insert(result.end(), MethodMean{m.method});
        ++mean->instances;
        mean->gap_percent += m.gap_percent;
        mean->seconds += m.seconds;
    }
    for (MethodMean& mean : result) {
        mean.gap_percent /= static_cast<double>(mean.instances);
        mean.seconds /= static_cast<double>(mean.instances);
    }
    return result;
}

}  // namespace neuroprim::experiments
