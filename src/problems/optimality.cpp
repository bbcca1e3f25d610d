#include "neuroprim/optimality.hpp"

#include <cmath>

namespace neuroprim {

bool proven(double cost, std::optional<double> bound) {
    constexpr double rounding = 1e-9;
    return bound && cost <= *bound + rounding * std::abs(*bound);
}

std::optional<double> bound_beside(double cost, std::optional<double> bound) {
    return bound && *bound > cost ? cost : bound;
}

std::optional<double> gap_percent(double cost, std::optional<double> bound) {
    if (proven(cost, bound)) return 0.0;
    if (!bound || *bound <= 0) return std::nullopt;
    return 100 * (cost - *bound) / *bound;
}

}  // namespace neuroprim
