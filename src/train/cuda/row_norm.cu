#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int warps = 8;  ///< of a block: so many rows it has
constexpr int threads = warps * 32;

/// A warp per row.
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ WideNorm call) {
    const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
    if (row >= call.rows) return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const long long begin = static_cast<long long>(row) * call.width;
    const float* x = call.x + begin;
    const auto count = static_cast<float>(call.width);
    float sum = 0;
#pragma unroll 8
    for (int c = lane; c < call.width; c += 32) sum += x[c];
    const float mean = sum_over<1, 16>(sum) / count;
    float squares = 0;
#pragma unroll 8
    for (int c = lane; c < call.width; c += 32) squares = fmaf(x[c] - mean, x[c] - mean, squares);
    const float scale = rsqrtf(sum_over<1, 16>(squares) / count + call.epsilon);
#pragma unroll 8
    for (int c = lane; c < call.width; c += 32) {
        call.y[begin + c] = fmaf((x[c] - mean) * scale, call.weight[c], call.bias[c]);
    }
    if (lane != 0) return;
    call.mean[row] = mean;
    call.scale[row] = scale;
}

/// A warp per row; then a thread per column adds up over the block's rows what gains and shifts get.
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ WideNorm call) {
    const int first = static_cast<int>(blockIdx.x) * warps;
    const int row = first + static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (row < call.rows) {
        const long long begin = static_cast<long long>(row) * call.width;
        const float mean = call.mean[row];
        const float scale = call.scale[row];
        float sum = 0;
        float along = 0;
#pragma unroll 8
        for (int c = lane; c < call.width; c += 32) {
            const float slope = call.d_y[begin + c] * call.weight[c];
            sum += slope;
            along = fmaf(slope, (call.x[begin + c] - mean) * scale, along);
        }
        const float share = 1.0f / static_cast<float>(call.width);
        sum = sum_over<1, 16>(sum) * share;
        along = sum_over<1, 16>(along) * share;
#pragma unroll 8
        for (int c = lane; c < call.width; c += 32) {
            const float slope = call.d_y[begin + c] * call.weight[c];
            const float standard = (call.x[begin + c] - mean) * scale;
            call.d_x[begin + c] = scale * (slope - sum - standard * along);
        }
    }
    const int last = min(first + warps, call.rows);
    float* part = call.parts + static_cast<long long>(blockIdx.x) * 2 * call.width;
    for (int c = static_cast<int>(threadIdx.x); c < call.width; c += threads) {
        float d_gain = 0;
        float d_shift = 0;
        for (int r = first; r < last; ++r) {
            const long long place = static_cast<long long>(r) * call.width + c;
            d_gain = fmaf(call.d_y[place], (call.x[place] - call.mean[r]) * call.scale[r], d_gain);
            d_shift += call.d_y[place];
        }
        part[c] = d_gain;
        part[call.width + c] = d_shift;
    }
}

}  // namespace

int row_norm_parts(int rows) {
    return (rows + warps - 1) / warps;
}

void row_norm_forward(const WideNorm& call, cudaStream_t stream) {
    forward<<<static_cast<unsigned>(row_norm_parts(call.rows)), threads, 0, stream>>>(call);
    check_launch("layer norm of the encoder");
}

void row_norm_backward(const WideNorm& call, cudaStream_t stream) {
    const int parts = row_norm_parts(call.rows);
    backward<<<static_cast<unsigned>(parts), threads, 0, stream>>>(call);
    check_launch("layer norm of the encoder, gradients");
    column_sums({parts, 2 * call.width, call.parts, nullptr, call.d_weight_and_bias}, stream);
}

}  // namespace neuroprim::train::cuda
