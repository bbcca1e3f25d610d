// The body of each instruction set's file: no include guard, no standard library (an inline function compiled here
// for a newer machine could be the copy that the linker keeps for all). Each file defines, before the include,
//   NEUROPRIM_KERNELS, NEUROPRIM_KERNELS_NAME   the table it fills and its name
//   NEUROPRIM_LANES                             floats in a vector: 4 or 8
//   NEUROPRIM_TILE_ROWS                         rows of a matrix product that fit the registers
//   NEUROPRIM_WIDE                              vectors of twice the lanes are there too: two edges at once
// Vectors are the compilers' own extension, so the same text serves every machine.

#include "policy/kernels/kernels.hpp"

namespace neuroprim::policy {

namespace {

using Index = std::ptrdiff_t;

constexpr int lanes = NEUROPRIM_LANES;

typedef float Floats __attribute__((vector_size(4 * lanes)));
typedef float LooseFloats __attribute__((vector_size(4 * lanes), aligned(4), may_alias));
typedef std::uint32_t Ints __attribute__((vector_size(4 * lanes)));
typedef std::uint16_t LooseHalves __attribute__((vector_size(2 * lanes), aligned(1), may_alias));

inline Floats load(const float* from) {
    return *reinterpret_cast<const LooseFloats*>(from);
}

inline void store(float* to, Floats value) {
    *reinterpret_cast<LooseFloats*>(to) = value;
}

template <class Vector>
inline Vector all(float value) {
    return Vector{} + value;
}

inline Floats larger(Floats a, Floats b) {
    return a > b ? a : b;
}

inline float sum(Floats v) {
    float low = v[0] + v[1];
    float high = v[2] + v[3];
    for (int k = 4; k < lanes; k += 4) {
        low += v[k] + v[k + 1];
        high += v[k + 2] + v[k + 3];
    }
    return low + high;
}

inline float largest(Floats v) {
    float result = v[0];
    for (int k = 1; k < lanes; ++k) result = v[k] > result ? v[k] : result;
    return result;
}

/// Asks for so many floats without waiting for them.
template <int Count>
inline void ask_for(const float* from) {
#pragma GCC unroll 8
    for (int k = 0; k < Count; k += 16) __builtin_prefetch(from + k);
}

constexpr float rounder = 12582912.0f;  // 1.5·2²³: adding it rounds to an integer that stands in the low bits

/// 2^x for |x| ≤ ½, relative error below 2e-7.
template <class Real>
inline Real small_power_of_two(Real x) {
    Real value = x * 1.326472964e-3f + 9.671513923e-3f;
    value = value * x + 5.550733581e-2f;
    value = value * x + 2.402224243e-1f;
    value = value * x + 6.931470037e-1f;
    return value * x + 1.0f;
}

/// 2^x for −126 ≤ x ≤ 127: the integer part of x goes straight into the exponent.
template <class Vector, class Integers>
inline Vector power_of_two(Vector x) {
    const Vector shifted = x + rounder;
    const Vector value = small_power_of_two(x - (shifted - rounder));
    return reinterpret_cast<Vector>(reinterpret_cast<Integers>(value) + (reinterpret_cast<Integers>(shifted) << 23));
}

inline float power_of_two(float x) {
    const float shifted = x + rounder;
    const float value = small_power_of_two(x - (shifted - rounder));
    return __builtin_bit_cast(
        float, __builtin_bit_cast(std::uint32_t, value) + (__builtin_bit_cast(std::uint32_t, shifted) << 23));
}

inline Floats power_of_two_clamped(Floats x) {
    return power_of_two<Floats, Ints>(larger(x, all<Floats>(-126.0f)));
}

#include "policy/kernels/attention.inc"
#include "policy/kernels/dense.inc"
#include "policy/kernels/scoring.inc"

}  // namespace

extern const Kernels NEUROPRIM_KERNELS = {
    NEUROPRIM_KERNELS_NAME, multiply,  softmax_rows, add_scale_shift,
    add_layer_norm,         maximum,   widen,        attend_for,
    largest_scores,         score_for, weigh,        burn,
};

}  // namespace neuroprim::policy
