#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int columns = 8;  ///< of a block: the shortest stretch of memory that is read as a whole
constexpr int warps = 16;
constexpr int threads = warps * 32;
constexpr int rows_at_once = threads / columns;

/// Sums of two numbers over all threads of a block that have the same column; every one of them gets both.
__device__ __forceinline__ float2 column_sum(float a, float b) {
    __shared__ float2 parts[warps][columns];
    a = sum_over<columns, 16>(a);
    b = sum_over<columns, 16>(b);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (lane < columns) parts[threadIdx.x / 32][lane] = make_float2(a, b);
    __syncthreads();
    float2 sum = make_float2(0, 0);
#pragma unroll
    for (int w = 0; w < warps; ++w) {
        const float2 part = parts[w][lane % columns];
        sum.x += part.x;
        sum.y += part.y;
    }
    return sum;
}

/// A block per few columns. One pass is enough for mean and deviation, because the numbers are taken relative to the
/// column's first one: what is left is of the size of the deviation.
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ WideNorm call) {
    const int column = static_cast<int>(blockIdx.x) * columns + static_cast<int>(threadIdx.x) % columns;
    const int first = static_cast<int>(threadIdx.x) / columns;
    const long long width = call.width;
    const float origin = call.x[column];
    float sum = 0;
    float squares = 0;
#pragma unroll 8
    for (int row = first; row < call.rows; row += rows_at_once) {
        const float x = call.x[row * width + column] - origin;
        sum += x;
        squares = fmaf(x, x, squares);
    }
    const float2 sums = column_sum(sum, squares);
    const auto count = static_cast<float>(call.rows);
    const float from_origin = sums.x / count;
    const float mean = origin + from_origin;
    const float variance = fmaxf(sums.y / count - from_origin * from_origin, 0.0f);
    const float scale = rsqrtf(variance + call.epsilon);
    const float gain = call.weight[column] * scale;
    const float shift = call.bias[column];
#pragma unroll 8
    for (int row = first; row < call.rows; row += rows_at_once) {
        const long long place = row * width + column;
        call.y[place] = fmaf(call.x[place] - mean, gain, shift);
    }
    if (first != 0) return;
    call.mean[column] = mean;
    call.scale[column] = scale;
    const float unbiased = variance * (count / (count - 1));
    call.running_mean[column] += call.momentum * (mean - call.running_mean[column]);
    call.running_var[column] += call.momentum * (unbiased - call.running_var[column]);
}

__global__ void __launch_bounds__(threads) backward(const __grid_constant__ WideNorm call) {
    const int column = static_cast<int>(blockIdx.x) * columns + static_cast<int>(threadIdx.x) % columns;
    const int first = static_cast<int>(threadIdx.x) / columns;
    const long long width = call.width;
    const float mean = call.mean[column];
    const float scale = call.scale[column];
    float sum = 0;
    float along = 0;
#pragma unroll 8
    for (int row = first; row < call.rows; row += rows_at_once) {
        const long long place = row * width + column;
        const float slope = call.d_y[place];
        sum += slope;
        along = fmaf(slope, (call.x[place] - mean) * scale, along);
    }
    const float2 sums = column_sum(sum, along);
    const float share = 1.0f / static_cast<float>(call.rows);
    const float gain = call.weight[column] * scale;
#pragma unroll 8
    for (int row = first; row < call.rows; row += rows_at_once) {
        const long long place = row * width + column;
        const float standard = (call.x[place] - mean) * scale;
        call.d_x[place] = gain * (call.d_y[place] - share * (sums.x + standard * sums.y));
    }
    if (first != 0) return;
    call.d_weight_and_bias[column] = sums.y;
    call.d_weight_and_bias[width + column] = sums.x;
}

}  // namespace

void column_norm_forward(const WideNorm& call, cudaStream_t stream) {
    forward<<<static_cast<unsigned>(call.width / columns), threads, 0, stream>>>(call);
    check_launch("batch norm");
}

void column_norm_backward(const WideNorm& call, cudaStream_t stream) {
    backward<<<static_cast<unsigned>(call.width / columns), threads, 0, stream>>>(call);
    check_launch("batch norm, gradients");
}

}  // namespace neuroprim::train::cuda
