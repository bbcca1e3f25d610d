#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 128;
/// Of the policies whose updates wait for launches. Wider rows stay with one product for each layer.
constexpr int D = 16;

__device__ __forceinline__ void copy_weight(const float* from, float* to) {
    for (int k = static_cast<int>(threadIdx.x) * 4; k < D * D; k += threads * 4) {
        float four[4];
        load(from + k, four);
        store(to + k, four);
    }
}

/// A thread per row and layer.
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ EdgeProjections call) {
    __shared__ __align__(16) float weight[D * D];
    const int layer = static_cast<int>(blockIdx.y);
    copy_weight(call.weight[layer], weight);
    __syncthreads();
    const long long row = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (row >= call.rows) return;
    float x[D];
    load(call.x + row * D, x);
#pragma unroll 2
    for (int o = 0; o < D; o += 4) {
        float y[4];
        load(call.bias[layer] + o, y);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
#pragma unroll
            for (int i = 0; i < D; i += 4) {
                float four[4];
                load(weight + (o + k) * D + i, four);
#pragma unroll
                for (int c = 0; c < 4; ++c) y[k] = fmaf(four[c], x[i + c], y[k]);
            }
        }
        store(call.y[layer] + row * D + o, y);
    }
}

/// A thread per row, which goes through the layers.
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ EdgeProjections call) {
    __shared__ __align__(16) float weight[D * D];
    const long long row = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    const bool is_row = row < call.rows;
    float d_x[D] = {};
    if (is_row) load(call.others + row * D, d_x);
    for (int layer = 0; layer < call.count; ++layer) {
        __syncthreads();
        copy_weight(call.weight[layer], weight);
        __syncthreads();
        if (!is_row) continue;
#pragma unroll 2
        for (int o = 0; o < D; o += 4) {
            float slope[4];
            load(call.d_y[layer] + row * D + o, slope);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
#pragma unroll
                for (int i = 0; i < D; i += 4) {
                    float four[4];
                    load(weight + (o + k) * D + i, four);
#pragma unroll
                    for (int c = 0; c < 4; ++c) d_x[i + c] = fmaf(four[c], slope[k], d_x[i + c]);
                }
            }
        }
    }
    if (is_row) store(call.d_x + row * D, d_x);
}

unsigned block_count(std::int64_t rows) {
    return static_cast<unsigned>((rows + threads - 1) / threads);
}

}  // namespace

bool supports_edge_projections(int width, int count) {
    return width == D && count <= EdgeProjections::most;
}

void edge_projections_forward(const EdgeProjections& call, cudaStream_t stream) {
    if (call.rows == 0) return;
    const dim3 grid(block_count(call.rows), static_cast<unsigned>(call.count));
    forward<<<grid, threads, 0, stream>>>(call);
    check_launch("projections of edges");
}

void edge_projections_backward(const EdgeProjections& call, cudaStream_t stream) {
    if (call.rows == 0) return;
    backward<<<block_count(call.rows), threads, 0, stream>>>(call);
    check_launch("projections of edges, backwards");
}

}  // namespace neuroprim::train::cuda
