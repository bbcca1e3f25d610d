#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int warps = 16;
constexpr int threads = warps * 32;

__device__ __forceinline__ float max_over_lanes(float x) {
#pragma unroll
    for (int bit = 1; bit <= 16; bit *= 2) x = fmaxf(x, __shfl_xor_sync(all_lanes, x, bit));
    return x;
}

/// The part of one head of one graph: which block this is, and where its numbers stand.
struct Part {
    int n;
    int width;   ///< of the head
    int stride;  ///< of rows in shared memory: neighbouring rows begin in neighbouring banks
    int head;
    long long graph;
    long long number;  ///< of (graph, head)

    __device__ __forceinline__ explicit Part(const VertexAttention& call)
        : n(call.n),
          width(call.d_v / call.heads),
          stride(width + 1),
          head(static_cast<int>(blockIdx.x) % call.heads),
          graph(static_cast<int>(blockIdx.x) / call.heads),
          number(blockIdx.x) {}

    /// Copies (n, width) from the channels `first`, … of rows that are `row_floats` long.
    __device__ __forceinline__ void read(const float* rows, int row_floats, int first, float* to) const {
        for (int v = static_cast<int>(threadIdx.x) / 32; v < n; v += warps) {
            const float* row = rows + (graph * n + v) * row_floats + first + head * width;
            for (int c = static_cast<int>(threadIdx.x) % 32; c < width; c += 32) to[v * stride + c] = row[c];
        }
    }

    __device__ __forceinline__ float product(const float* a, const float* b) const {
        float sum = 0;
#pragma unroll 8
        for (int c = 0; c < width; ++c) sum = fmaf(a[c], b[c], sum);
        return sum;
    }
};

/// A block per graph and head, a warp per query; lanes are keys for the scores and channels for the context.
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ VertexAttention call) {
    extern __shared__ __align__(16) float shared[];
    const Part part(call);
    const int n = part.n;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* queries = shared;                           // (n, stride)
    float* keys = queries + n * part.stride;           // (n, stride)
    float* values = keys + n * part.stride;            // (n, stride)
    float* row = values + n * part.stride + warp * n;  // (n) of this warp
    part.read(call.qkv, 3 * call.d_v, 0, queries);
    part.read(call.qkv, 3 * call.d_v, call.d_v, keys);
    part.read(call.qkv, 3 * call.d_v, 2 * call.d_v, values);
    const float scale = call.scale * log2_e;
    const float slope = call.lengths != nullptr ? call.distance[part.head] * log2_e : 0.0f;
    __syncthreads();
    for (int i = warp; i < n; i += warps) {
        float top = lowest;
        for (int j = lane; j < n; j += 32) {
            float score = scale * part.product(queries + i * part.stride, keys + j * part.stride);
            if (call.lengths != nullptr) score -= slope * call.lengths[(part.graph * n + i) * n + j];
            row[j] = score;
            top = fmaxf(top, score);
        }
        top = max_over_lanes(top);
        float sum = 0;
        for (int j = lane; j < n; j += 32) {
            row[j] = exp2_fast(row[j] - top);
            sum += row[j];
        }
        const float share = 1.0f / sum_over<1, 16>(sum);
        for (int j = lane; j < n; j += 32) {
            row[j] *= share;
            call.probabilities[(part.number * n + i) * n + j] = row[j];
        }
        __syncwarp();
        for (int c = lane; c < part.width; c += 32) {
            float total = 0;
#pragma unroll 4
            for (int j = 0; j < n; ++j) total = fmaf(row[j], values[j * part.stride + c], total);
            call.context[(part.graph * n + i) * call.d_v + part.head * part.width + c] = total;
        }
        __syncwarp();
    }
}

/// A block per graph and head. First a warp per query: what its scores should change by, and so the query. Then a
/// warp per key, which adds up over the queries.
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ VertexAttention call) {
    extern __shared__ __align__(16) float shared[];
    __shared__ float length_sums[warps];
    const Part part(call);
    const int n = part.n;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* queries = shared;  // (n, stride), as the next three
    float* keys = queries + n * part.stride;
    float* values = keys + n * part.stride;
    float* slopes = values + n * part.stride;   // of the context
    float* weights = slopes + n * part.stride;  // (n, n) probabilities
    float* d_scores = weights + n * n;          // (n, n)
    part.read(call.qkv, 3 * call.d_v, 0, queries);
    part.read(call.qkv, 3 * call.d_v, call.d_v, keys);
    part.read(call.qkv, 3 * call.d_v, 2 * call.d_v, values);
    part.read(call.d_context, call.d_v, 0, slopes);
    for (int k = static_cast<int>(threadIdx.x); k < n * n; k += threads) {
        weights[k] = call.probabilities[part.number * n * n + k];
    }
    __syncthreads();
    float along_lengths = 0;
    for (int i = warp; i < n; i += warps) {
        float mean = 0;
        for (int j = lane; j < n; j += 32) {
            const float d_weight = part.product(slopes + i * part.stride, values + j * part.stride);
            d_scores[i * n + j] = d_weight;
            mean = fmaf(weights[i * n + j], d_weight, mean);
        }
        mean = sum_over<1, 16>(mean);
        for (int j = lane; j < n; j += 32) {
            const float d_score = weights[i * n + j] * (d_scores[i * n + j] - mean);
            d_scores[i * n + j] = d_score;
            if (call.d_distance != nullptr) {
                along_lengths = fmaf(d_score, call.lengths[(part.graph * n + i) * n + j], along_lengths);
            }
        }
        __syncwarp();
        float* d_query = call.d_qkv + (part.graph * n + i) * 3 * call.d_v + part.head * part.width;
        for (int c = lane; c < part.width; c += 32) {
            float total = 0;
#pragma unroll 4
            for (int j = 0; j < n; ++j) total = fmaf(d_scores[i * n + j], keys[j * part.stride + c], total);
            d_query[c] = call.scale * total;
        }
    }
    if (call.d_distance != nullptr) {
        along_lengths = sum_over<1, 16>(along_lengths);
        if (lane == 0) length_sums[warp] = along_lengths;
    }
    __syncthreads();
    for (int j = warp; j < n; j += warps) {
        float* d_key = call.d_qkv + (part.graph * n + j) * 3 * call.d_v + call.d_v + part.head * part.width;
        for (int c = lane; c < part.width; c += 32) {
            float of_key = 0;
            float of_value = 0;
#pragma unroll 4
            for (int i = 0; i < n; ++i) {
                of_key = fmaf(d_scores[i * n + j], queries[i * part.stride + c], of_key);
                of_value = fmaf(weights[i * n + j], slopes[i * part.stride + c], of_value);
            }
            d_key[c] = call.scale * of_key;
            d_key[call.d_v + c] = of_value;
        }
    }
    if (call.d_distance != nullptr && threadIdx.x == 0) {
        float total = 0;
        for (const float sum : length_sums) total -= sum;
        call.d_distance[part.number] = total;
    }
}

std::size_t forward_bytes(int n, int width) {
    return (3 * static_cast<std::size_t>(n) * (width + 1) + static_cast<std::size_t>(warps) * n) * sizeof(float);
}

std::size_t backward_bytes(int n, int width) {
    return (4 * static_cast<std::size_t>(n) * (width + 1) + 2 * static_cast<std::size_t>(n) * n) * sizeof(float);
}

}  // namespace

bool supports_vertex_attention(int n, int d_v, int heads) {
    constexpr std::size_t most_bytes = 220 * 1024;
    if (n < 1 || heads < 1 || d_v % heads != 0) return false;
    return forward_bytes(n, d_v / heads) <= most_bytes && backward_bytes(n, d_v / heads) <= most_bytes;
}

void vertex_attention_forward(const VertexAttention& call, cudaStream_t stream) {
    const std::size_t bytes = forward_bytes(call.n, call.d_v / call.heads);
    allow_shared_memory(forward, bytes);
    forward<<<static_cast<unsigned>(call.graphs * call.heads), threads, bytes, stream>>>(call);
    check_launch("attention of the encoder");
}

void vertex_attention_backward(const VertexAttention& call, cudaStream_t stream) {
    const std::size_t bytes = backward_bytes(call.n, call.d_v / call.heads);
    allow_shared_memory(backward, bytes);
    backward<<<static_cast<unsigned>(call.graphs * call.heads), threads, bytes, stream>>>(call);
    check_launch("attention of the encoder, backwards");
}

}  // namespace neuroprim::train::cuda
