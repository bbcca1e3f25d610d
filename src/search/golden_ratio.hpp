#pragma once

#include <cmath>
#include <cstdint>

namespace neuroprim {

/// Multiples of it, without their whole parts, are spread evenly however many of them are taken.
inline constexpr double golden_ratio = 0.6180339887498949;

/// The place of the k-th multiple, 0 to 1 but below 1. Seeds begin at 64 different places.
[[nodiscard]] inline double golden_place(std::int64_t k, std::uint64_t seed = 0) {
    return std::fmod(golden_ratio * static_cast<double>(k) + static_cast<double>(seed % 64) / 64, 1.0);
}

}  // namespace neuroprim
