#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/solve.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim::experiments {

/// What one method reached on one instance.
struct Measurement {
    std::string table;
    std::string instance;
    Vertex n = 0;
    double best_known = 0;
    std::string method;
    double cost = 0;
    double gap_percent = 0;  ///< to the best known value; below zero where that is beaten, or rounded for print
    double seconds = 0;
    std::optional<CostStatistics> statistics = {};  ///< of sampling
};

/// 100 (cost / reference − 1), as in the paper; the reference is above zero.
[[nodiscard]] double percent_above(double cost, double reference);

/// The first line of a file of measurements.
inline constexpr std::string_view measurement_columns = "table,instance,n,bks,method,cost,gap_percent,seconds";

/// One line of it, without its end.
[[nodiscard]] std::string measurement_row(const Measurement& measurement);

/// A method over several instances.
struct MethodMean {
    std::string method;
    std::size_t instances = 0;
    double gap_percent = 0;
    double seconds = 0;
};

/// Means per method, in the order in which the methods first appear.
[[nodiscard]] std::vector<MethodMean> method_means(std::span<const Measurement> measurements);

}  // namespace neuroprim::experiments
