#include "train/cuda/decoder_rows.hpp"

#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 128;
/// Of the policies whose updates wait for launches, as in edge_projections.cu.
constexpr int D = 16;

using Row = float[D];

/// Copies matrices side by side into shared memory. A barrier must follow.
template <int Count>
__device__ __forceinline__ void copy_weights(const float* const (&from)[Count], float (&to)[Count][D * D]) {
#pragma unroll
    for (int m = 0; m < Count; ++m) {
        for (int k = static_cast<int>(threadIdx.x) * 4; k < D * D; k += threads * 4) {
            float four[4];
            load(from[m] + k, four);
            store(&to[m][k], four);
        }
    }
}

/// d_x += d_y · W.
__device__ __forceinline__ void add_product(const float* weight, const Row& d_y, Row& d_x) {
#pragma unroll
    for (int o = 0; o < D; ++o) {
#pragma unroll
        for (int i = 0; i < D; i += 4) {
            float four[4];
            load(weight + o * D + i, four);
#pragma unroll
            for (int c = 0; c < 4; ++c) d_x[i + c] = fmaf(four[c], d_y[o], d_x[i + c]);
        }
    }
}

/// The gradient d of a layer norm's result becomes that of the sum that it saw.
__device__ __forceinline__ void pass_norm(const Row& sum, const float* __restrict__ gain, Row& d) {
    constexpr float share = 1.0f / D;
    float mean = 0;
#pragma unroll
    for (int k = 0; k < D; ++k) mean += sum[k];
    mean *= share;
    float squares = 0;
#pragma unroll
    for (int k = 0; k < D; ++k) squares = fmaf(sum[k] - mean, sum[k] - mean, squares);
    const float scale = rsqrtf(squares * share + 1e-5f);
    float total = 0;
    float along = 0;
#pragma unroll
    for (int k = 0; k < D; ++k) {
        d[k] *= gain[k];
        total += d[k];
        along = fmaf(d[k], (sum[k] - mean) * scale, along);
    }
    total *= share;
    along *= share;
#pragma unroll
    for (int k = 0; k < D; ++k) d[k] = scale * (d[k] - total - (sum[k] - mean) * scale * along);
}

/// A thread per row, as in the kernels below.
__global__ void __launch_bounds__(threads) after_edges(const __grid_constant__ RowsAfterEdges call) {
    __shared__ __align__(16) float weights[4][D * D];
    copy_weights({call.action_query, call.contract, call.expand, call.edge_output}, weights);
    __syncthreads();
    const long long row = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (row >= call.rows) return;
    const long long place = row * D;
    Row sum;
    Row d_query;
    load(call.d_action_query + place, d_query);
    load(call.output_sum + place, sum);
    Row d_sum = {};
    add_product(weights[0], d_query, d_sum);
    store(call.d_output + place, d_sum);
    pass_norm(sum, call.output_norm, d_sum);
    store(call.d_output_sum + place, d_sum);

    Row inner;
    load(call.inner + place, inner);
    Row d_inner = {};
    add_product(weights[1], d_sum, d_inner);
#pragma unroll
    for (int k = 0; k < D; ++k) d_inner[k] = inner[k] > 0 ? d_inner[k] : 0.0f;
    store(call.d_inner + place, d_inner);

    load(call.edge_sum + place, sum);
    add_product(weights[2], d_inner, d_sum);
    store(call.d_seen + place, d_sum);
    pass_norm(sum, call.edge_norm, d_sum);
    store(call.d_edge_sum + place, d_sum);
    Row d_context = {};
    add_product(weights[3], d_sum, d_context);
    store(call.d_context + place, d_context);
}

__global__ void __launch_bounds__(threads) before_edges(const __grid_constant__ RowsBeforeEdges call) {
    __shared__ __align__(16) float weights[2][D * D];
    copy_weights({call.edge_query, call.self_output}, weights);
    __syncthreads();
    const long long row = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (row >= call.rows) return;
    const long long place = row * D;
    Row sum;
    Row d_query;
    Row d_sum;
    load(call.d_edge_query + place, d_query);
    load(call.around + place, d_sum);
    load(call.self_sum + place, sum);
    add_product(weights[0], d_query, d_sum);
    store(call.d_states + place, d_sum);
    pass_norm(sum, call.self_norm, d_sum);
    store(call.d_self_sum + place, d_sum);
    Row d_context = {};
    add_product(weights[1], d_sum, d_context);
    store(call.d_context + place, d_context);
}

__global__ void __launch_bounds__(threads) of_input(const __grid_constant__ RowsOfInput call) {
    __shared__ __align__(16) float weights[3][D * D];
    copy_weights({call.weight[0], call.weight[1], call.weight[2]}, weights);
    __syncthreads();
    const long long row = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    if (row >= call.rows) return;
    Row d_input;
    load(call.around + row * D, d_input);
#pragma unroll
    for (int part = 0; part < 3; ++part) {
        Row d_part;
        load(call.d_qkv + (row * 3 + part) * D, d_part);
        add_product(weights[part], d_part, d_input);
    }
    store(call.d_input + row * D, d_input);
}

unsigned block_count(std::int64_t rows) {
    return static_cast<unsigned>((rows + threads - 1) / threads);
}

}  // namespace

bool supports_decoder_rows(int d_e) {
    return d_e == D;
}

void rows_after_edges(const RowsAfterEdges& call, cudaStream_t stream) {
    if (call.rows == 0) return;
    after_edges<<<block_count(call.rows), threads, 0, stream>>>(call);
    check_launch("rows after edge attention, backwards");
}

void rows_before_edges(const RowsBeforeEdges& call, cudaStream_t stream) {
    if (call.rows == 0) return;
    before_edges<<<block_count(call.rows), threads, 0, stream>>>(call);
    check_launch("rows before edge attention, backwards");
}

void rows_of_input(const RowsOfInput& call, cudaStream_t stream) {
    if (call.rows == 0) return;
    of_input<<<block_count(call.rows), threads, 0, stream>>>(call);
    check_launch("rows of the decoder's input, backwards");
}

}  // namespace neuroprim::train::cuda
