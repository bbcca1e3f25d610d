#include <type_traits>

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/open_rows.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int warps = 8;
constexpr int most_blocks = 528;

/// Numbers of the two matrices and their biases, in the order of `RowNetworkPass::d_weights`.
constexpr int expand_floats = row_width * row_facts;
template <int Terms>
constexpr int weight_floats = expand_floats + row_width + Terms* row_width + Terms;

/// A block per trajectory, a thread per open row; all read the same weight at the same time.
template <int Heads>
__global__ void __launch_bounds__(warps * 32) make_terms(const __grid_constant__ RowNetworkPass call) {
    extern __shared__ int shared[];
    constexpr int terms = Heads + 1;
    __shared__ float expand[row_width][row_facts];
    __shared__ float expand_bias[row_width];
    __shared__ float contract[row_width][terms];  // transposed: the terms of a hidden number lie together
    for (int k = static_cast<int>(threadIdx.x); k < expand_floats; k += warps * 32) {
        expand[k / row_facts][k % row_facts] = call.network.expand_weight[k];
    }
    for (int k = static_cast<int>(threadIdx.x); k < terms * row_width; k += warps * 32) {
        contract[k % row_width][k / row_width] = call.network.contract_weight[k];
    }
    if (threadIdx.x < row_width) expand_bias[threadIdx.x] = call.network.expand_bias[threadIdx.x];
    const int n = call.sizes.n;
    const long long b = blockIdx.x;
    const OpenRows rows(shared, call.times, b, n);
    const int count = rows.count();
    for (int number = static_cast<int>(threadIdx.x); number < count; number += warps * 32) {
        const long long row = b * (n - 1) * n + rows.place(number);
        float facts[row_facts];
        load(call.facts + row * row_facts, facts);
        float sums[terms];
#pragma unroll
        for (int k = 0; k < terms; ++k) sums[k] = call.network.contract_bias[k];
#pragma unroll 4
        for (int h = 0; h < row_width; ++h) {
            float hidden = expand_bias[h];
#pragma unroll
            for (int i = 0; i < row_facts; ++i) hidden = fmaf(expand[h][i], facts[i], hidden);
            hidden = fmaxf(hidden, 0.0f);
#pragma unroll
            for (int k = 0; k < terms; ++k) sums[k] = fmaf(contract[h][k], hidden, sums[k]);
        }
        float heads[Heads];
#pragma unroll
        for (int k = 0; k < Heads; ++k) heads[k] = sums[k];
        store(call.of_heads + row * Heads, heads);
        call.of_action[row] = sums[Heads];
    }
}

/// What the warp has read of one row, for all its lanes.
template <int Heads>
struct __align__(16) RowNumbers {
    float facts[16];
    float slopes[Heads + 4];
};

/// A lane holds what belongs to one hidden number in registers, weights and their gradients, and meets every open row
/// of its warp. Before that it reads one of 32 rows.
template <int Heads>
__global__ void __launch_bounds__(warps * 32) add_gradients(const __grid_constant__ RowNetworkPass call) {
    static_assert(row_width == 32 && row_facts <= 16);
    extern __shared__ int shared[];
    constexpr int terms = Heads + 1;
    __shared__ RowNumbers<Heads> numbers[warps][32];
    __shared__ float sums[weight_floats<terms>];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    float expand[row_facts];
    load(call.network.expand_weight + lane * row_facts, expand);
    const float expand_bias = call.network.expand_bias[lane];
    float contract[terms];
#pragma unroll
    for (int k = 0; k < terms; ++k) contract[k] = call.network.contract_weight[k * row_width + lane];
    float d_expand[row_facts] = {};
    float d_expand_bias = 0;
    float d_contract[terms] = {};
    float d_contract_bias[terms] = {};  // of the rows that the lane has read

    const int n = call.sizes.n;
    const int trajectories = call.sizes.graphs * call.sizes.per_graph;
    for (long long b = blockIdx.x; b < trajectories; b += gridDim.x) {
        const OpenRows rows(shared, call.times, b, n);
        const int count = rows.count();
        for (int first = warp * 32; first < count; first += warps * 32) {
            __syncwarp();
            if (first + lane < count) {
                const long long row = b * (n - 1) * n + rows.place(first + lane);
                float facts[row_facts];
                float slopes[Heads];
                load(call.facts + row * row_facts, facts);
                load(call.d_of_heads + row * Heads, slopes);
                const float of_action = call.d_of_action[row];
                RowNumbers<Heads>& own = numbers[warp][lane];
#pragma unroll
                for (int i = 0; i < row_facts; ++i) own.facts[i] = facts[i];
                store(own.slopes, slopes);
                own.slopes[Heads] = of_action;
#pragma unroll
                for (int k = 0; k < Heads; ++k) d_contract_bias[k] += slopes[k];
                d_contract_bias[Heads] += of_action;
            }
            __syncwarp();
            const int read = min(count - first, 32);
            for (int r = 0; r < read; ++r) {
                float facts[16];
                float slopes[Heads + 4];
                load(numbers[warp][r].facts, facts);
                load(numbers[warp][r].slopes, slopes);
                float hidden = expand_bias;
#pragma unroll
                for (int i = 0; i < row_facts; ++i) hidden = fmaf(expand[i], facts[i], hidden);
                hidden = fmaxf(hidden, 0.0f);
                float slope = 0;
#pragma unroll
                for (int k = 0; k < terms; ++k) {
                    slope = fmaf(contract[k], slopes[k], slope);
                    d_contract[k] = fmaf(slopes[k], hidden, d_contract[k]);
                }
                if (hidden <= 0.0f) slope = 0;
                d_expand_bias += slope;
#pragma unroll
                for (int i = 0; i < row_facts; ++i) d_expand[i] = fmaf(slope, facts[i], d_expand[i]);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < terms; ++k) d_contract_bias[k] = sum_over<1, 16>(d_contract_bias[k]);
    for (int w = 0; w < warps; ++w) {
        __syncthreads();
        if (warp != w) continue;
        const auto add = [&](int place, float value) { sums[place] = w == 0 ? value : sums[place] + value; };
#pragma unroll
        for (int i = 0; i < row_facts; ++i) add(lane * row_facts + i, d_expand[i]);
        add(expand_floats + lane, d_expand_bias);
#pragma unroll
        for (int k = 0; k < terms; ++k) add(expand_floats + row_width + k * row_width + lane, d_contract[k]);
#pragma unroll
        for (int k = 0; k < terms; ++k) {
            if (lane == k) add(expand_floats + row_width + terms * row_width + k, d_contract_bias[k]);
        }
    }
    __syncthreads();
    float* part = call.parts + static_cast<long long>(blockIdx.x) * weight_floats<terms>;
    for (int k = static_cast<int>(threadIdx.x); k < weight_floats<terms>; k += warps * 32) part[k] = sums[k];
}

template <class Run>
void for_known_heads(int heads, Run&& run) {
    if (heads == 8) return run(std::integral_constant<int, 8>{});
    if (heads == 4) return run(std::integral_constant<int, 4>{});
    throw std::runtime_error("no CUDA kernels for the row terms of " + std::to_string(heads) + " heads");
}

}  // namespace

bool supports_row_terms(int heads) {
    return heads == 8 || heads == 4;
}

int row_term_parts() {
    return most_blocks;
}

int row_term_weights(int heads) {
    return expand_floats + row_width + (heads + 1) * (row_width + 1);
}

void row_terms_forward(const RowNetworkPass& call, cudaStream_t stream) {
    if (call.sizes.trajectories() == 0) return;
    const auto blocks = static_cast<unsigned>(call.sizes.trajectories());
    for_known_heads(call.sizes.heads, [&](auto heads) {
        make_terms<heads()><<<blocks, warps * 32, OpenRows::bytes(call.sizes.n), stream>>>(call);
        check_launch("row terms");
    });
}

void row_terms_backward(const RowNetworkPass& call, cudaStream_t stream) {
    for_known_heads(call.sizes.heads, [&](auto heads) {
        add_gradients<heads()><<<most_blocks, warps * 32, OpenRows::bytes(call.sizes.n), stream>>>(call);
        check_launch("gradients of row terms");
    });
    column_sums({most_blocks, row_term_weights(call.sizes.heads), call.parts, nullptr, call.d_weights}, stream);
}

}  // namespace neuroprim::train::cuda
