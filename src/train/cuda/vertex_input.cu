#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int forward_warps = 8;

__device__ __forceinline__ float least_over_lanes(float x) {
#pragma unroll
    for (int bit = 1; bit <= 16; bit *= 2) x = fminf(x, __shfl_xor_sync(all_lanes, x, bit));
    return x;
}

/// A block per graph and 32 channels, a lane per channel; the warps share the vertices. Each warp finds the square
/// that holds the points for itself.
__global__ void __launch_bounds__(forward_warps * 32) forward(const __grid_constant__ VertexInput call) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int n = call.n;
    const long long first = static_cast<long long>(blockIdx.y) * n;
    const float* points = call.points + first * 2;
    float low_x = INFINITY;
    float low_y = INFINITY;
    float minus_high_x = INFINITY;
    float minus_high_y = INFINITY;
    for (int v = lane; v < n; v += 32) {
        low_x = fminf(low_x, points[2 * v]);
        low_y = fminf(low_y, points[2 * v + 1]);
        minus_high_x = fminf(minus_high_x, -points[2 * v]);
        minus_high_y = fminf(minus_high_y, -points[2 * v + 1]);
    }
    low_x = least_over_lanes(low_x);
    low_y = least_over_lanes(low_y);
    minus_high_x = least_over_lanes(minus_high_x);
    minus_high_y = least_over_lanes(minus_high_y);
    const float extent = fmaxf(-minus_high_x - low_x, -minus_high_y - low_y);
    const float side = extent > 0 ? extent : 1.0f;

    const int channel = static_cast<int>(blockIdx.x) * 32 + lane;
    float weight_x[VertexInput::kinds];
    float weight_y[VertexInput::kinds];
    float bias[VertexInput::kinds];
#pragma unroll
    for (int kind = 0; kind < VertexInput::kinds; ++kind) {
        weight_x[kind] = call.weight[kind][2 * channel];
        weight_y[kind] = call.weight[kind][2 * channel + 1];
        bias[kind] = call.bias[kind][channel];
    }
    for (int v = warp; v < n; v += forward_warps) {
        const float x = (points[2 * v] - low_x) / side;
        const float y = (points[2 * v + 1] - low_y) / side;
        const int kind = call.terminals[first + v] != 0 ? 0 : 1;
        call.x[(first + v) * call.width + channel] = fmaf(weight_x[kind], x, fmaf(weight_y[kind], y, bias[kind]));
        if (blockIdx.x == 0 && lane < 2) call.coordinates[(first + v) * 2 + lane] = lane == 0 ? x : y;
    }
}

constexpr int columns = 8;  ///< of a block: the shortest stretch of memory that is read as a whole
constexpr int backward_warps = 16;
constexpr int backward_threads = backward_warps * 32;
constexpr int sum_count = 3 * VertexInput::kinds;  ///< for both coordinates and the bias

/// A block per few columns.
__global__ void __launch_bounds__(backward_threads) backward(const __grid_constant__ VertexInput call) {
    __shared__ float parts[backward_warps][columns][sum_count];
    const int column = static_cast<int>(threadIdx.x) % columns;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int channel = static_cast<int>(blockIdx.x) * columns + column;
    const int rows = call.graphs * call.n;
    float sums[sum_count] = {};
#pragma unroll 4
    for (int row = static_cast<int>(threadIdx.x) / columns; row < rows; row += backward_threads / columns) {
        const float slope = call.d_x[static_cast<long long>(row) * call.width + channel];
        const float x = call.coordinates[2 * row];
        const float y = call.coordinates[2 * row + 1];
        const bool is_terminal = call.terminals[row] != 0;
#pragma unroll
        for (int kind = 0; kind < VertexInput::kinds; ++kind) {
            const float own = (kind == 0) == is_terminal ? slope : 0.0f;
            sums[3 * kind] = fmaf(own, x, sums[3 * kind]);
            sums[3 * kind + 1] = fmaf(own, y, sums[3 * kind + 1]);
            sums[3 * kind + 2] += own;
        }
    }
#pragma unroll
    for (int k = 0; k < sum_count; ++k) {
        const float sum = sum_over<columns, 16>(sums[k]);
        if (lane < columns) parts[threadIdx.x / 32][column][k] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= columns * sum_count) return;
    const int of_column = static_cast<int>(threadIdx.x) / sum_count;
    const int number = static_cast<int>(threadIdx.x) % sum_count;
    float total = 0;
    for (int w = 0; w < backward_warps; ++w) total += parts[w][of_column][number];
    const int place = number / 3 * call.width + static_cast<int>(blockIdx.x) * columns + of_column;
    if (number % 3 == 2) {
        call.d_biases[place] = total;
    } else {
        call.d_weights[2 * place + number % 3] = total;
    }
}

}  // namespace

void vertex_input_forward(const VertexInput& call, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(call.width / 32), static_cast<unsigned>(call.graphs));
    forward<<<grid, forward_warps * 32, 0, stream>>>(call);
    check_launch("input of the encoder");
}

void vertex_input_backward(const VertexInput& call, cudaStream_t stream) {
    backward<<<static_cast<unsigned>(call.width / columns), backward_threads, 0, stream>>>(call);
    check_launch("input of the encoder, gradients");
}

}  // namespace neuroprim::train::cuda
