#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int group = 4;  ///< queries or keys of a warp: what it reads for one serves the others
constexpr int forward_warps = 8;
constexpr int backward_warps = 16;

__device__ __forceinline__ float max_over_lanes(float x) {
#pragma unroll
    for (int bit = 1; bit <= 16; bit *= 2) x = fmaxf(x, __shfl_xor_sync(all_lanes, x, bit));
    return x;
}

/// The part of one head of one graph: which block this is, and where its numbers stand.
struct Part {
    int n;
    int width;   ///< of the head
    int stride;  ///< of rows in shared memory: fours of neighbouring rows lie in different banks
    int head;
    long long graph;
    long long number;  ///< of (graph, head)

    __device__ __forceinline__ explicit Part(const VertexAttention& call)
        : n(call.n),
          width(call.d_v / call.heads),
          stride(width + 4),
          head(static_cast<int>(blockIdx.x) % call.heads),
          graph(static_cast<int>(blockIdx.x) / call.heads),
          number(blockIdx.x) {}

    /// Copies the channels of the head of `count` vertices, from number `begin` on. The graph's rows are `row_floats`
    /// long, and the channels of the first head begin at `first`. Past the end stands the last vertex.
    __device__ __forceinline__ void read(const float* rows, int row_floats, int first, int begin, int count,
                                         float* to) const {
        const int fours = width / 4;
        for (int k = static_cast<int>(threadIdx.x); k < count * fours; k += static_cast<int>(blockDim.x)) {
            const int v = k / fours;
            const int c = (k - v * fours) * 4;
            float four[4];
            load(rows + (graph * n + min(begin + v, n - 1)) * row_floats + first + head * width + c, four);
            store(to + v * stride + c, four);
        }
    }

    /// Products of a few neighbouring rows with one other.
    __device__ __forceinline__ void multiply(const float* rows, const float* other, float (&products)[group]) const {
#pragma unroll
        for (int r = 0; r < group; ++r) products[r] = 0;
#pragma unroll 2
        for (int c = 0; c < width; c += 4) {
            float b[4];
            load(other + c, b);
#pragma unroll
            for (int r = 0; r < group; ++r) {
                float a[4];
                load(rows + r * stride + c, a);
                products[r] += dot(a, b);
            }
        }
    }
};

/// Blocks per graph and head, a warp per group of queries; lanes are keys for the scores and channels for the
/// context.
__global__ void __launch_bounds__(forward_warps * 32) forward(const __grid_constant__ VertexAttention call) {
    extern __shared__ __align__(16) float shared[];
    const Part part(call);
    const int n = part.n;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int block_first = static_cast<int>(blockIdx.y) * forward_warps * group;
    float* keys = shared;                                                      // (n, stride)
    float* values = keys + n * part.stride;                                    // (n, stride)
    float* queries = values + n * part.stride;                                 // (warps·group, stride)
    float* rows = queries + (forward_warps * part.stride + warp * n) * group;  // (n, group) of this warp
    part.read(call.qkv, 3 * call.d_v, 0, block_first, forward_warps * group, queries);
    part.read(call.qkv, 3 * call.d_v, call.d_v, 0, n, keys);
    part.read(call.qkv, 3 * call.d_v, 2 * call.d_v, 0, n, values);
    const float scale = call.scale * log2_e;
    const float slope = call.lengths != nullptr ? call.distance[part.head] * log2_e : 0.0f;
    __syncthreads();
    const int first = block_first + warp * group;
    if (first >= n) return;
    const long long matrix = part.number * n * n;
    float top[group] = {lowest, lowest, lowest, lowest};
    for (int j = lane; j < n; j += 32) {
        float scores[group];
        part.multiply(queries + warp * group * part.stride, keys + j * part.stride, scores);
#pragma unroll
        for (int r = 0; r < group; ++r) {
            scores[r] *= scale;
            if (call.lengths != nullptr) {
                scores[r] -= slope * call.lengths[(part.graph * n + min(first + r, n - 1)) * n + j];
            }
            top[r] = fmaxf(top[r], scores[r]);
        }
        store(rows + j * group, scores);
    }
    float sum[group] = {};
#pragma unroll
    for (int r = 0; r < group; ++r) top[r] = max_over_lanes(top[r]);
    for (int j = lane; j < n; j += 32) {
        float weights[group];
        load(rows + j * group, weights);
#pragma unroll
        for (int r = 0; r < group; ++r) {
            weights[r] = exp2_fast(weights[r] - top[r]);
            sum[r] += weights[r];
        }
        store(rows + j * group, weights);
    }
#pragma unroll
    for (int r = 0; r < group; ++r) sum[r] = 1.0f / sum_over<1, 16>(sum[r]);
    for (int j = lane; j < n; j += 32) {
        float weights[group];
        load(rows + j * group, weights);
#pragma unroll
        for (int r = 0; r < group; ++r) {
            weights[r] *= sum[r];
            if (first + r < n) call.probabilities[matrix + static_cast<long long>(first + r) * n + j] = weights[r];
        }
        store(rows + j * group, weights);
    }
    __syncwarp();
    for (int c = lane; c < part.width; c += 32) {
        float total[group] = {};
#pragma unroll 4
        for (int j = 0; j < n; ++j) {
            float weights[group];
            load(rows + j * group, weights);
            const float value = values[j * part.stride + c];
#pragma unroll
            for (int r = 0; r < group; ++r) total[r] = fmaf(weights[r], value, total[r]);
        }
#pragma unroll
        for (int r = 0; r < group; ++r) {
            if (first + r >= n) continue;
            call.context[(part.graph * n + first + r) * call.d_v + part.head * part.width + c] = total[r];
        }
    }
}

/// Rows of an n × n matrix in shared memory are filled up with zeros to whole fours.
__host__ __device__ __forceinline__ int in_fours(int n) {
    return (n + 3) / 4 * 4;
}

/// A block per graph and head. First a warp per group of queries: what their scores should change by, and so the
/// queries. Then a warp per group of keys, which adds up over the queries.
__global__ void __launch_bounds__(backward_warps * 32) backward(const __grid_constant__ VertexAttention call) {
    extern __shared__ __align__(16) float shared[];
    __shared__ float length_sums[backward_warps];
    const Part part(call);
    const int n = part.n;
    const int row = in_fours(n);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float* queries = shared;  // (row, stride), as the next three
    float* keys = queries + row * part.stride;
    float* values = keys + row * part.stride;
    float* slopes = values + row * part.stride;   // of the context
    float* weights = slopes + row * part.stride;  // (n, row) probabilities
    float* d_scores = weights + n * row;          // (n, row)
    part.read(call.qkv, 3 * call.d_v, 0, 0, row, queries);
    part.read(call.qkv, 3 * call.d_v, call.d_v, 0, row, keys);
    part.read(call.qkv, 3 * call.d_v, 2 * call.d_v, 0, row, values);
    part.read(call.d_context, call.d_v, 0, 0, row, slopes);
    for (int i = warp; i < n; i += backward_warps) {
        for (int j = lane; j < row; j += 32) {
            weights[i * row + j] = j < n ? call.probabilities[(part.number * n + i) * n + j] : 0.0f;
        }
    }
    __syncthreads();
    float along_lengths = 0;
    for (int first = warp * group; first < n; first += backward_warps * group) {
        const int count = min(group, n - first);
        float mean[group] = {};
        for (int j = lane; j < row; j += 32) {
            float d_weight[group];
            part.multiply(slopes + first * part.stride, values + j * part.stride, d_weight);
#pragma unroll
            for (int r = 0; r < group; ++r) {
                if (r >= count) continue;
                d_scores[(first + r) * row + j] = d_weight[r];
                mean[r] = fmaf(weights[(first + r) * row + j], d_weight[r], mean[r]);
            }
        }
#pragma unroll
        for (int r = 0; r < group; ++r) mean[r] = sum_over<1, 16>(mean[r]);
        for (int j = lane; j < row; j += 32) {
#pragma unroll
            for (int r = 0; r < group; ++r) {
                if (r >= count) continue;
                const int place = (first + r) * row + j;
                const float d_score = weights[place] * (d_scores[place] - mean[r]);
                d_scores[place] = d_score;
                if (call.d_distance != nullptr && j < n) {
                    along_lengths = fmaf(d_score, call.lengths[(part.graph * n + first + r) * n + j], along_lengths);
                }
            }
        }
        __syncwarp();
        for (int c = lane; c < part.width; c += 32) {
            float total[group] = {};
            for (int j = 0; j < row; j += 4) {
                float key[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) key[k] = keys[(j + k) * part.stride + c];
#pragma unroll
                for (int r = 0; r < group; ++r) {
                    if (r >= count) continue;
                    float d_score[4];
                    load(d_scores + (first + r) * row + j, d_score);
                    total[r] += dot(d_score, key);
                }
            }
#pragma unroll
            for (int r = 0; r < group; ++r) {
                if (r >= count) continue;
                call.d_qkv[(part.graph * n + first + r) * 3 * call.d_v + part.head * part.width + c] =
                    call.scale * total[r];
            }
        }
    }
    if (call.d_distance != nullptr) {
        along_lengths = sum_over<1, 16>(along_lengths);
        if (lane == 0) length_sums[warp] = along_lengths;
    }
    __syncthreads();
    for (int first = warp * group; first < n; first += backward_warps * group) {
        for (int c = lane; c < part.width; c += 32) {
            float of_key[group] = {};
            float of_value[group] = {};
#pragma unroll 2
            for (int i = 0; i < n; ++i) {
                float d_score[group];
                float weight[group];
                load(d_scores + i * row + first, d_score);
                load(weights + i * row + first, weight);
                const float query = queries[i * part.stride + c];
                const float slope = slopes[i * part.stride + c];
#pragma unroll
                for (int r = 0; r < group; ++r) {
                    of_key[r] = fmaf(d_score[r], query, of_key[r]);
                    of_value[r] = fmaf(weight[r], slope, of_value[r]);
                }
            }
#pragma unroll
            for (int r = 0; r < group; ++r) {
                if (first + r >= n) continue;
                float* d_key = call.d_qkv + ((part.graph * n + first + r) * 3 + 1) * call.d_v;
                d_key[part.head * part.width + c] = call.scale * of_key[r];
                d_key[call.d_v + part.head * part.width + c] = of_value[r];
            }
        }
    }
    if (call.d_distance != nullptr && threadIdx.x == 0) {
        float total = 0;
        for (const float sum : length_sums) total -= sum;
        call.d_distance[part.number] = total;
    }
}

std::size_t forward_bytes(int n, int width) {
    const int rows = 2 * n + forward_warps * group;
    return static_cast<std::size_t>(rows * (width + 4) + forward_warps * group * n) * sizeof(float);
}

std::size_t backward_bytes(int n, int width) {
    return static_cast<std::size_t>(in_fours(n) * (4 * (width + 4) + 2 * n)) * sizeof(float);
}

}  // namespace

bool supports_vertex_attention(int n, int d_v, int heads) {
    constexpr std::size_t most_bytes = 220 * 1024;
    constexpr int most_vertices = 1024;
    if (n < 1 || n > most_vertices || heads < 1 || d_v % heads != 0 || d_v / heads % 4 != 0) return false;
    return forward_bytes(n, d_v / heads) <= most_bytes && backward_bytes(n, d_v / heads) <= most_bytes;
}

void vertex_attention_forward(const VertexAttention& call, cudaStream_t stream) {
    const std::size_t bytes = forward_bytes(call.n, call.d_v / call.heads);
    allow_shared_memory(forward, bytes);
    constexpr int queries = forward_warps * group;
    const dim3 grid(static_cast<unsigned>(call.graphs * call.heads),
                    static_cast<unsigned>((call.n + queries - 1) / queries));
    forward<<<grid, forward_warps * 32, bytes, stream>>>(call);
    check_launch("attention of the encoder");
}

void vertex_attention_backward(const VertexAttention& call, cudaStream_t stream) {
    const std::size_t bytes = backward_bytes(call.n, call.d_v / call.heads);
    allow_shared_memory(backward, bytes);
    backward<<<static_cast<unsigned>(call.graphs * call.heads), backward_warps * 32, bytes, stream>>>(call);
    check_launch("attention of the encoder, backwards");
}

}  // namespace neuroprim::train::cuda
