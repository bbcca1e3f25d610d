#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int tile = 16;
constexpr int chunk = 32;

constexpr int pairs = tile * tile;

/// How many groups of threads share the depth of a tile: few graphs have few tiles, and a group alone would wait for
/// memory most of the time. Registers and threads of a block set the limit.
template <int D>
inline constexpr int depth_groups = 64 / D;

/// What a group has of its part of the depth.
template <int D>
struct DepthPart {
    float mine[tile][chunk + 1];
    float theirs[tile][chunk + 1];
    alignas(16) float weight[chunk][D];
};

/// A block per graph and pair of vertex tiles, a thread per pair of vertices and part of the depth. The maximum is
/// the same both ways, so only tiles on one side of the diagonal are visited and a thread of the first group writes
/// two edges.
template <int D>
__global__ void __launch_bounds__(depth_groups<D>* pairs) forward(const __grid_constant__ PairFeatures call) {
    union Shared {
        DepthPart<D> parts[depth_groups<D>];
        float sums[depth_groups<D> > 1 ? D : 1][pairs];
    };
    __shared__ Shared shared;
    const int tile_i = static_cast<int>(blockIdx.x);
    const int tile_j = static_cast<int>(blockIdx.y);
    if (tile_i > tile_j) return;
    const int n = call.n;
    const long long graph = blockIdx.z;
    const int group = static_cast<int>(threadIdx.x) / pairs;
    const int thread = static_cast<int>(threadIdx.x) % pairs;
    const int in_i = thread / tile;
    const int in_j = thread % tile;
    auto& [mine, theirs, weight] = shared.parts[group];
    float sum[D] = {};
    for (int base = 0; base < call.d_v; base += depth_groups<D> * chunk) {
        const int begin = base + group * chunk;
        const bool is_inside = begin < call.d_v;
        __syncthreads();
        for (int k = thread; is_inside && k < tile * chunk; k += pairs) {
            const int i = min(tile_i * tile + k / chunk, n - 1);
            const int j = min(tile_j * tile + k / chunk, n - 1);
            mine[k / chunk][k % chunk] = call.vertices[(graph * n + i) * call.d_v + begin + k % chunk];
            theirs[k / chunk][k % chunk] = call.vertices[(graph * n + j) * call.d_v + begin + k % chunk];
        }
        for (int k = thread; is_inside && k < D * chunk; k += pairs) {
            weight[k % chunk][k / chunk] = call.weight[k / chunk * 2 * call.d_v + call.d_v + begin + k % chunk];
        }
        __syncthreads();
        if (!is_inside) continue;
#pragma unroll 4
        for (int c = 0; c < chunk; ++c) {
            const float larger = fmaxf(mine[in_i][c], theirs[in_j][c]);
#pragma unroll
            for (int o = 0; o < D; o += 4) {
                float four[4];
                load(&weight[c][o], four);
#pragma unroll
                for (int k = 0; k < 4; ++k) sum[o + k] = fmaf(four[k], larger, sum[o + k]);
            }
        }
    }
    for (int other = 1; other < depth_groups<D>; ++other) {
        __syncthreads();
        if (group == other) {
#pragma unroll
            for (int o = 0; o < D; ++o) shared.sums[o][thread] = sum[o];
        }
        __syncthreads();
        if (group == 0) {
#pragma unroll
            for (int o = 0; o < D; ++o) sum[o] += shared.sums[o][thread];
        }
    }
    const int i = tile_i * tile + in_i;
    const int j = tile_j * tile + in_j;
    if (group > 0 || i >= n || j >= n) return;
    const float* difference_i = call.difference + (graph * n + i) * D;
    const float* difference_j = call.difference + (graph * n + j) * D;
    float* forth = call.edges + ((graph * n + i) * n + j) * D;
    float* back = call.edges + ((graph * n + j) * n + i) * D;
#pragma unroll
    for (int o = 0; o < D; o += 4) {
        float a[4];
        float b[4];
        float bias[4];
        load(difference_i + o, a);
        load(difference_j + o, b);
        load(call.bias + o, bias);
        float there[4];
        float here[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float both = sum[o + k] + bias[k];
            there[k] = both + (a[k] - b[k]);
            here[k] = both - (a[k] - b[k]);
        }
        store(forth + o, there);
        store(back + o, here);
    }
}

/// Rows of slopes that a warp holds at once.
constexpr int staged = 16;

template <int D>
inline constexpr int row_warps = D <= 32 ? 16 : 8;

template <int D>
std::size_t backward_bytes(int n) {
    return (static_cast<std::size_t>(n) * 32 + 2 * D * 32 + static_cast<std::size_t>(row_warps<D>) * staged * D) *
           sizeof(float);
}

/// A block per graph and 32 channels: lane c owns a channel, the warps share the rows i. Of each pair the vertex with
/// the larger number gets the gradient; equal numbers share it, as torch.maximum does. Vertex and weight need the
/// same sums, over the pairs in which i is the larger one, of the slopes of both directions. Through the difference
/// they need the sum over all pairs of i, of the slope from i less the slope to i.
template <int D>
__global__ void __launch_bounds__(row_warps<D> * 32) backward(const __grid_constant__ PairFeatures call) {
    extern __shared__ __align__(16) float shared[];
    constexpr int lanes_across = D / 4;  ///< lane l reads the slopes of the outputs 4·(l % lanes_across), …
    constexpr int sums_at_once = 4;
    __shared__ float sums[sums_at_once][row_warps<D>][32];
    __shared__ float bias_sums[row_warps<D>][D];
    __shared__ float through_graph[32];
    const int n = call.n;
    const long long graph = blockIdx.y;
    const int first = static_cast<int>(blockIdx.x) * 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* features = shared;                                  // (n, 32)
    float* weights = features + n * 32;                        // (2·D, 32): of the difference, then of the maximum
    float* slopes = weights + 2 * D * 32 + warp * staged * D;  // (staged, D) of this warp
    for (int v = warp; v < n; v += row_warps<D>) {
        features[v * 32 + lane] = call.vertices[(graph * n + v) * call.d_v + first + lane];
    }
    for (int k = warp; k < 2 * D; k += row_warps<D>) {
        weights[k * 32 + lane] = call.weight[(k % D * 2 + k / D) * call.d_v + first + lane];
    }
    const auto part_of_graph = [&] { return call.parts + graph * D * (3 * call.d_v + 2); };
    if (warp == 0) {
        float sum = 0;
        for (int o = 0; o < D; ++o) {
            sum = fmaf(call.graph_weight[o * call.d_v + first + lane], call.d_graph[graph * D + o], sum);
        }
        through_graph[lane] = sum / static_cast<float>(n);
    }
    __syncthreads();
    float mean = 0;
    for (int v = 0; v < n; ++v) mean += features[v * 32 + lane];
    mean /= static_cast<float>(n);
    for (int o = warp; o < D; o += row_warps<D>) {
        const int place = D * (2 * call.d_v + 1) + o * call.d_v + first + lane;
        part_of_graph()[place] = mean * call.d_graph[graph * D + o];
    }
    float d_weight[2 * D] = {};
    float d_bias[4] = {};
    const float* __restrict__ d_edges = call.d_edges + graph * n * n * D;
    for (int i = warp; i < n; i += row_warps<D>) {
        const float own = features[i * 32 + lane];
        float won[D] = {};
        float difference[4] = {};
        for (int begin = 0; begin < n; begin += staged) {
            const int count = min(staged, n - begin);
            __syncwarp();
            for (int k = lane; k < count * (D / 4); k += 32) {
                const int j = begin + k / (D / 4);
                const int o = k % (D / 4) * 4;
                float forth[4];
                float back[4];
                load(d_edges + (i * n + j) * D + o, forth);
                load(d_edges + (j * n + i) * D + o, back);
#pragma unroll
                for (int c = 0; c < 4; ++c) {
                    difference[c] += forth[c] - back[c];
                    d_bias[c] += forth[c];
                    forth[c] += back[c];
                }
                store(slopes + k * 4, forth);
            }
            __syncwarp();
            for (int j = 0; j < count; ++j) {
                const float other = features[(begin + j) * 32 + lane];
                const float share = own > other ? 1.0f : (own == other ? 0.5f : 0.0f);
#pragma unroll
                for (int o = 0; o < D; o += 4) {
                    float slope[4];
                    load(slopes + j * D + o, slope);
#pragma unroll
                    for (int c = 0; c < 4; ++c) won[o + c] = fmaf(share, slope[c], won[o + c]);
                }
            }
        }
#pragma unroll
        for (int c = 0; c < 4; ++c) difference[c] = sum_over<lanes_across, 16>(difference[c]);
        float d_own = through_graph[lane];
#pragma unroll
        for (int o = 0; o < D; ++o) {
            const float along = __shfl_sync(all_lanes, difference[o % 4], o / 4);
            d_own = fmaf(weights[o * 32 + lane], along, fmaf(weights[(D + o) * 32 + lane], won[o], d_own));
            d_weight[o] = fmaf(own, along, d_weight[o]);
            d_weight[D + o] = fmaf(own, won[o], d_weight[D + o]);
        }
        call.d_vertices[(graph * n + i) * call.d_v + first + lane] = d_own;
    }
    float* part = part_of_graph();
#pragma unroll
    for (int k = 0; k < 2 * D; k += sums_at_once) {
        __syncthreads();
#pragma unroll
        for (int c = 0; c < sums_at_once; ++c) sums[c][warp][lane] = d_weight[k + c];
        __syncthreads();
        if (warp < sums_at_once) {
            float sum = 0;
#pragma unroll
            for (int w = 0; w < row_warps<D>; ++w) sum += sums[warp][w][lane];
            const int number = k + warp;  // of (half, output)
            part[(number % D * 2 + number / D) * call.d_v + first + lane] = sum;
        }
    }
    if (blockIdx.x != 0) return;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        d_bias[c] = sum_over<lanes_across, 16>(d_bias[c]);
        if (lane < lanes_across) bias_sums[warp][4 * lane + c] = d_bias[c];
    }
    __syncthreads();
    for (int o = static_cast<int>(threadIdx.x); o < D; o += row_warps<D> * 32) {
        float sum = 0;
        for (int w = 0; w < row_warps<D>; ++w) sum += bias_sums[w][o];
        part[D * 2 * call.d_v + o] = sum;
        part[D * (3 * call.d_v + 1) + o] = call.d_graph[graph * D + o];
    }
}

}  // namespace

bool supports_pair_features(int d_v, int d_e) {
    return d_v % chunk == 0 && is_known_width(d_e);
}

void pair_features_forward(const PairFeatures& call, cudaStream_t stream) {
    for_known_width(call.d_e, [&](auto width) {
        const auto tiles = static_cast<unsigned>((call.n + tile - 1) / tile);
        const dim3 grid(tiles, tiles, static_cast<unsigned>(call.graphs));
        forward<width()><<<grid, depth_groups<width()> * pairs, 0, stream>>>(call);
        check_launch("edge features");
    });
}

void pair_features_backward(const PairFeatures& call, cudaStream_t stream) {
    for_known_width(call.d_e, [&](auto width) {
        const dim3 grid(static_cast<unsigned>(call.d_v / 32), static_cast<unsigned>(call.graphs));
        const std::size_t bytes = backward_bytes<width()>(call.n);
        allow_shared_memory(backward<width()>, bytes);
        backward<width()><<<grid, row_warps<width()> * 32, bytes, stream>>>(call);
        check_launch("edge features, gradients");
    });
}

}  // namespace neuroprim::train::cuda
