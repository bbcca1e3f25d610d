#pragma once

#include "train/cuda/lanes.cuh"

/// Vectors of D numbers spread over one warp, and the small products and norms of the decoder on them.
namespace neuroprim::train::cuda {

/// Lane l holds the numbers l, l + 32, … of a vector; for D = 16 both halves of the warp hold the same 16.
template <int D>
struct Spread {
    static constexpr int count = D <= 32 ? 1 : D / 32;
    float x[count];

    __device__ __forceinline__ static int index(int lane, int k) { return D < 32 ? lane % D : lane + 32 * k; }

    [[nodiscard]] __device__ __forceinline__ static Spread of(const float* from, int lane) {
        Spread result;
#pragma unroll
        for (int k = 0; k < count; ++k) result.x[k] = from[index(lane, k)];
        return result;
    }

    [[nodiscard]] __device__ __forceinline__ Spread times(float factor) const {
        Spread result;
#pragma unroll
        for (int k = 0; k < count; ++k) result.x[k] = x[k] * factor;
        return result;
    }

    __device__ __forceinline__ void put(float* to, int lane) const {
#pragma unroll
        for (int k = 0; k < count; ++k) {
            if (D >= 32 || lane < D) to[index(lane, k)] = x[k];
        }
    }
};

/// Where the numbers of a linear layer stand: the transposed matrix (input, output), then the bias.
template <int D>
inline constexpr int linear_floats = D* D + D;

/// W·x + b; x stands in shared memory.
template <int D>
__device__ __forceinline__ Spread<D> apply_linear(const float* layer, const float* x, int lane) {
    Spread<D> y;
    constexpr int parts = D < 32 ? 32 / D : 1;
    constexpr int inputs = D / parts;
    const int begin = parts == 1 ? 0 : lane / D * inputs;
    // Two sums side by side, of even and odd inputs or of two outputs: in one each product would wait for the last.
    constexpr int chains = Spread<D>::count == 1 ? 2 : 1;
    float sums[Spread<D>::count][chains] = {};
#pragma unroll
    for (int i = 0; i < inputs; i += 4) {
        float four[4];
        load(x + begin + i, four);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
#pragma unroll
            for (int k = 0; k < Spread<D>::count; ++k) {
                float& sum = sums[k][j % chains];
                sum = fmaf(layer[(begin + i + j) * D + Spread<D>::index(lane, k)], four[j], sum);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < Spread<D>::count; ++k) {
        y.x[k] = sums[k][0];
        if constexpr (chains > 1) y.x[k] += sums[k][1];
        if constexpr (parts > 1) y.x[k] = sum_over<D, 16>(y.x[k]);
        y.x[k] += layer[D * D + Spread<D>::index(lane, k)];
    }
    return y;
}

/// Sum and sum of squared distances from the mean, over lanes and in one pass: parts of equal size join exactly, so
/// that the two chains of exchanges run side by side and nothing is lost where the mean is large.
template <int D>
struct Moments {
    float sum;
    float squares;

    __device__ __forceinline__ explicit Moments(const Spread<D>& x) : sum(x.x[0]), squares(0) {
        constexpr int top = D < 32 ? D / 2 : 16;
        static_assert(Spread<D>::count <= 2);
        if constexpr (Spread<D>::count == 2) join(x.x[1], 0, 0.5f);
#pragma unroll
        for (int bit = 1; bit <= top; bit *= 2) {
            const float other_sum = __shfl_xor_sync(all_lanes, sum, bit);
            const float other_squares = __shfl_xor_sync(all_lanes, squares, bit);
            join(other_sum, other_squares, 0.5f / static_cast<float>(bit * Spread<D>::count));
        }
    }

private:
    /// `half_inverse`: 1 / (2·k), where both parts have k numbers.
    __device__ __forceinline__ void join(float other_sum, float other_squares, float half_inverse) {
        const float apart = sum - other_sum;
        squares = fmaf(apart * apart, half_inverse, squares + other_squares);
        sum += other_sum;
    }
};

/// Layer norm; `norm` holds the D gains, then the D shifts.
template <int D>
__device__ __forceinline__ Spread<D> apply_norm(const float* norm, const Spread<D>& x, int lane) {
    const Moments<D> moments(x);
    const float mean = moments.sum * (1.0f / D);
    const float scale = rsqrtf(fmaf(moments.squares, 1.0f / D, 1e-5f));
    Spread<D> y;
#pragma unroll
    for (int k = 0; k < Spread<D>::count; ++k) {
        const int i = Spread<D>::index(lane, k);
        y.x[k] = fmaf((x.x[k] - mean) * scale, norm[i], norm[D + i]);
    }
    return y;
}

}  // namespace neuroprim::train::cuda
