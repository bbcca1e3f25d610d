#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int warps = 8;
constexpr int threads = warps * 32;

/// W · x by one warp, x of `inputs` numbers (a multiple of 4) and rows of W `stride` apart; `write(output, value)`.
template <int D, class Write>
__device__ __forceinline__ void multiply(const float* weight, int stride, const float* x, int inputs, int lane,
                                         Write&& write) {
    float sums[D] = {};
    for (int c = 4 * lane; c < inputs; c += 128) {
        float four[4];
        load(x + c, four);
#pragma unroll
        for (int o = 0; o < D; ++o) {
            float factors[4];
            load(weight + o * stride + c, factors);
            sums[o] += dot(four, factors);
        }
    }
    constexpr int kept = D / 32 > 1 ? D / 32 : 1;
    const int part = scatter_sums<16, 1>(sums, lane);
    if (D < 32 && lane % (32 / D) != 0) return;  // its neighbour has the same
#pragma unroll
    for (int k = 0; k < kept; ++k) write(part * kept + k, sums[k]);
}

/// The first blocks have a graph each, the others a vertex for each warp.
template <int D>
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ PairFeatures call) {
    extern __shared__ __align__(16) float shared[];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int block = static_cast<int>(blockIdx.x);
    if (block >= call.graphs) {
        const long long vertex = static_cast<long long>(block - call.graphs) * warps + warp;
        if (vertex >= static_cast<long long>(call.graphs) * call.n) return;
        float* to = call.difference + vertex * D;
        multiply<D>(call.weight, 2 * call.d_v, call.vertices + vertex * call.d_v, call.d_v, lane,
                    [&](int o, float y) { to[o] = y; });
        return;
    }
    float* mean = shared;              // (d_v)
    float* parts = shared + call.d_v;  // (warps, d_v)
    const float* vertices = call.vertices + static_cast<long long>(block) * call.n * call.d_v;
    for (int c = 4 * lane; c < call.d_v; c += 128) {
        float sum[4] = {};
#pragma unroll 4
        for (int v = warp; v < call.n; v += warps) {
            float four[4];
            load(vertices + v * call.d_v + c, four);
#pragma unroll
            for (int k = 0; k < 4; ++k) sum[k] += four[k];
        }
        store(parts + warp * call.d_v + c, sum);
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.x); c < call.d_v; c += threads) {
        float sum = 0;
#pragma unroll
        for (int w = 0; w < warps; ++w) sum += parts[w * call.d_v + c];
        mean[c] = sum / static_cast<float>(call.n);
    }
    __syncthreads();
    if (warp != 0) return;
    multiply<D>(call.graph_weight, call.d_v, mean, call.d_v, lane,
                [&](int o, float y) { call.graph[block * D + o] = y + call.graph_bias[o]; });
}

}  // namespace

void graph_features_forward(const PairFeatures& call, cudaStream_t stream) {
    for_known_width(call.d_e, [&](auto width) {
        const int vertex_blocks = (call.graphs * call.n + warps - 1) / warps;
        const std::size_t bytes =
            static_cast<std::size_t>(1 + warps) * static_cast<std::size_t>(call.d_v) * sizeof(float);
        allow_shared_memory(forward<width()>, bytes);
        forward<width()><<<static_cast<unsigned>(call.graphs + vertex_blocks), threads, bytes, stream>>>(call);
        check_launch("features of graphs");
    });
}

}  // namespace neuroprim::train::cuda
