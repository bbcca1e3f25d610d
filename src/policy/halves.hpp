#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace neuroprim::policy {

/// The largest number that 16 bits hold; what rounds to more becomes an infinity.
inline constexpr float largest_half = 65504;

/// The value of a 16-bit float (IEEE binary16): exact, every half is a float too.
[[nodiscard]] inline float from_half(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 31u;
    const std::uint32_t fraction = half & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0) return std::copysign(static_cast<float>(fraction) * 0x1.0p-24f, sign ? -1.0f : 1.0f);
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

/// The nearest 16-bit float, ties to the even one.
[[nodiscard]] inline std::uint16_t to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);   // no number
    if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 2¹⁶ and more
    if (magnitude < 0x38800000u) {
        // Below 2⁻¹⁴ halves are multiples of 2⁻²⁴, which is the last bit of the floats from ½ to 1.
        const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(rounded) - 0x3f000000u));
    }
    // A carry out of the fraction goes into the exponent, as it should.
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

}  // namespace neuroprim::policy
