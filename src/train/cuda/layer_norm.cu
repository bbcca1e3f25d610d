#include <algorithm>

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 792;

/// A row of D numbers lies on D/4 lanes, four numbers each.
template <int D>
inline constexpr int lanes_per_row = D / 4;

template <int D>
inline constexpr int rows_per_block = threads / lanes_per_row<D>;

/// Four numbers of a row with the row's mean taken off, in units of its deviation.
template <int D>
struct Standardised {
    float x[4];
    float scale;  ///< one over the deviation

    __device__ __forceinline__ explicit Standardised(const float (&raw)[4]) {
        constexpr int top = lanes_per_row<D> / 2;
        const float mean = sum_over<1, top>(raw[0] + raw[1] + raw[2] + raw[3]) * (1.0f / D);
        float squares = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            x[k] = raw[k] - mean;
            squares = fmaf(x[k], x[k], squares);
        }
        scale = rsqrtf(sum_over<1, top>(squares) * (1.0f / D) + 1e-5f);
#pragma unroll
        for (int k = 0; k < 4; ++k) x[k] *= scale;
    }
};

/// Every lane takes part in every round, because the sums of a row go over lanes; past the end it works on the last
/// row.
template <int D>
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ NormOfSum call) {
    const int in_row = static_cast<int>(threadIdx.x) % lanes_per_row<D> * 4;
    float gain[4];
    float shift[4];
    load(call.weight + in_row, gain);
    load(call.bias + in_row, shift);
    const long long stride = static_cast<long long>(gridDim.x) * rows_per_block<D>;
    const long long first = static_cast<long long>(blockIdx.x) * rows_per_block<D>;
    for (long long base = first; base < call.rows; base += stride) {
        const long long row = base + static_cast<int>(threadIdx.x) / lanes_per_row<D>;
        const long long place = min(row, static_cast<long long>(call.rows - 1)) * D + in_row;
        float sum[4];
        float update[4];
        load(call.x + place, sum);
        load(call.update + place, update);
#pragma unroll
        for (int k = 0; k < 4; ++k) sum[k] += update[k];
        const Standardised<D> standard(sum);
        float y[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) y[k] = fmaf(standard.x[k], gain[k], shift[k]);
        if (row < call.rows) {
            store(call.sum + place, sum);
            store(call.y + place, y);
        }
    }
}

/// The gradients of gains and shifts are summed over the rows of a thread, then of a block, in a fixed order.
template <int D>
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ NormOfSum call) {
    __shared__ float sums[rows_per_block<D>][2 * D];
    constexpr int top = lanes_per_row<D> / 2;
    const int in_row = static_cast<int>(threadIdx.x) % lanes_per_row<D> * 4;
    const int place_in_block = static_cast<int>(threadIdx.x) / lanes_per_row<D>;
    float gain[4];
    load(call.weight + in_row, gain);
    float d_gain[4] = {};
    float d_shift[4] = {};
    const long long stride = static_cast<long long>(gridDim.x) * rows_per_block<D>;
    const long long first = static_cast<long long>(blockIdx.x) * rows_per_block<D>;
    for (long long base = first; base < call.rows; base += stride) {
        const long long row = base + place_in_block;
        const long long place = min(row, static_cast<long long>(call.rows - 1)) * D + in_row;
        float sum[4];
        float d_y[4];
        load(call.sum + place, sum);
        load(call.d_y + place, d_y);
        const Standardised<D> standard(sum);
        float slope[4];
        float mean = 0;
        float along = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            slope[k] = d_y[k] * gain[k];
            mean += slope[k];
            along = fmaf(slope[k], standard.x[k], along);
        }
        mean = sum_over<1, top>(mean) * (1.0f / D);
        along = sum_over<1, top>(along) * (1.0f / D);
        float d_sum[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) d_sum[k] = standard.scale * (slope[k] - mean - standard.x[k] * along);
        if (row < call.rows) {
            store(call.d_sum + place, d_sum);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                d_gain[k] = fmaf(d_y[k], standard.x[k], d_gain[k]);
                d_shift[k] += d_y[k];
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        sums[place_in_block][in_row + k] = d_gain[k];
        sums[place_in_block][D + in_row + k] = d_shift[k];
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.x); c < 2 * D; c += threads) {
        float total = 0;
        for (int r = 0; r < rows_per_block<D>; ++r) total += sums[r][c];
        call.parts[static_cast<long long>(blockIdx.x) * 2 * D + c] = total;
    }
}

template <int D>
unsigned block_count(std::int64_t rows, std::int64_t most) {
    return static_cast<unsigned>(std::min(most, (rows + rows_per_block<D> - 1) / rows_per_block<D>));
}

}  // namespace

bool supports_norm_of_sum(int width) {
    return is_known_width(width);
}

int norm_of_sum_parts() {
    return most_blocks;
}

void norm_of_sum_forward(const NormOfSum& call, cudaStream_t stream) {
    if (call.rows == 0) return;
    for_known_width(call.width, [&](auto width) {
        forward<width()><<<block_count<width()>(call.rows, 132 * 16), threads, 0, stream>>>(call);
        check_launch("layer norm");
    });
}

void norm_of_sum_backward(const NormOfSum& call, cudaStream_t stream) {
    for_known_width(call.width, [&](auto width) {
        // Blocks without rows write zeros.
        backward<width()><<<most_blocks, threads, 0, stream>>>(call);
        check_launch("layer norm, gradients");
    });
}

void norm_of_sum_weights(const NormOfSum& call, cudaStream_t stream) {
    column_sums({most_blocks, 2 * call.width, call.parts, nullptr, call.d_weight_and_bias}, stream);
}

}  // namespace neuroprim::train::cuda
