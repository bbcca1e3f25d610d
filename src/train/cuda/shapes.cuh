#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace neuroprim::train::cuda {

template <int D, int H>
struct Shape {
    static constexpr int d_e = D;
    static constexpr int heads = H;
};

/// Calls `run(Shape<D, H>{})` for the sizes that kernels are compiled for; false for all others.
template <class Run>
bool for_shape(int d_e, int heads, Run&& run) {
    if (d_e == 16 && heads == 8) return run(Shape<16, 8>{}), true;
    if (d_e == 32 && heads == 8) return run(Shape<32, 8>{}), true;
    if (d_e == 64 && heads == 8) return run(Shape<64, 8>{}), true;
    if (d_e == 16 && heads == 4) return run(Shape<16, 4>{}), true;
    if (d_e == 32 && heads == 4) return run(Shape<32, 4>{}), true;
    return false;
}

template <class Run>
void for_known_shape(int d_e, int heads, Run&& run) {
    if (!for_shape(d_e, heads, run)) {
        throw std::runtime_error("no CUDA kernels for d_e " + std::to_string(d_e) + " with " + std::to_string(heads) +
                                 " heads");
    }
}

/// The widths of rows that kernels are compiled for, whatever the number of heads.
inline bool is_known_width(int width) {
    return width == 16 || width == 32 || width == 64;
}

/// Calls `run(std::integral_constant<int, width>{})`.
template <class Run>
void for_known_width(int width, Run&& run) {
    if (width == 16) return run(std::integral_constant<int, 16>{});
    if (width == 32) return run(std::integral_constant<int, 32>{});
    if (width == 64) return run(std::integral_constant<int, 64>{});
    throw std::runtime_error("no CUDA kernels for rows of " + std::to_string(width) + " numbers");
}

}  // namespace neuroprim::train::cuda
