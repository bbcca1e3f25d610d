#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "neuroprim/random.hpp"

namespace neuroprim::train {

/// A whole number from low to high, both among them.
inline std::int64_t between(Random& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

/// Standard normal.
inline double normal(Random& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace neuroprim::train
