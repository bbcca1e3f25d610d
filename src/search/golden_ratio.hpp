#pragma once

#include <cmath>
#include <cstdint>

#include "neuroprim/random.hpp"

namespace neuroprim {

/// Multiples of it, without their whole parts, are spread evenly however many of them are taken.
inline constexpr double golden_ratio = 0.6180339887498949;

/// The place of the k-th multiple, 0 to 1 but below 1. Seed 0 begins at 0, every other one elsewhere.
[[nodiscard]] inline double golden_place(std::int64_t k, std::uint64_t seed = 0) {
    const double first = seed == 0 ? 0 : Random(seed).uniform();
    return std::fmod(golden_ratio * static_cast<double>(k) + first, 1.0);
}

}  // namespace neuroprim
