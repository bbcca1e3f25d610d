#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 256;

/// One thread per (trajectory, step, head). Neighbouring threads are the heads of one step, so that a warp reads
/// whole rows; the rows of one trajectory stay in the first-level cache.
template <int D, int H>
struct Place {
    long long row;  // number of the step among all
    int t;
    int length;
    int head;
    bool valid;

    __device__ explicit Place(const SelfAttention& call)
        : Place(call, static_cast<long long>(blockIdx.x) * threads + threadIdx.x) {}

    __device__ Place(const SelfAttention& call, long long number) {
        const long long steps = call.sizes.n - 1;
        row = number / H;
        head = static_cast<int>(number % H);
        const long long b = row / steps;
        valid = b < static_cast<long long>(call.sizes.graphs) * call.sizes.per_graph;
        t = static_cast<int>(row - b * steps);
        length = valid ? call.lengths[b] : 0;
    }
};

template <int D, int H>
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ SelfAttention call) {
    constexpr int size = D / H;
    constexpr int batch = size <= 4 ? 4 : 2;
    const Place<D, H> at(call);
    if (!at.valid) return;
    const int offset = at.head * size;
    RunningSoftmax<size> softmax;
    if (at.t < at.length) {
        float query[size];
        load(call.qkv + at.row * 3 * D + offset, query);
        scale(query, log2_e * rsqrtf(static_cast<float>(size)));
        const float* first = call.qkv + (at.row - at.t) * 3 * D + offset;
        for (int s = 0; s <= at.t; s += batch) {
            float scores[batch];
            float values[batch][size];
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const float* from = first + static_cast<long long>(min(s + k, at.t)) * 3 * D;
                float key[size];
                load(from + D, key);
                load(from + 2 * D, values[k]);
                scores[k] = s + k <= at.t ? dot(query, key) : -INFINITY;
            }
            softmax.add(scores, values);
        }
        scale(softmax.total, 1.0f / softmax.sum);
    }
    store(call.context + at.row * D + offset, softmax.total);
    call.lse[at.row * H + at.head] = at.t < at.length ? softmax.top + log2f(softmax.sum) : 0.0f;
}

template <int D, int H>
__device__ __forceinline__ void pass_to_query(const SelfAttention& call, const Place<D, H>& at) {
    constexpr int size = D / H;
    const int offset = at.head * size;
    float d_query[size] = {};
    float delta = 0;
    if (at.t < at.length) {
        const float natural = rsqrtf(static_cast<float>(size));
        float query[size];
        float context[size];
        float d_context[size];
        load(call.qkv + at.row * 3 * D + offset, query);
        scale(query, log2_e * natural);
        load(call.context + at.row * D + offset, context);
        load(call.d_context + at.row * D + offset, d_context);
        delta = dot(context, d_context);
        const float lse = call.lse[at.row * H + at.head];
        const float* first = call.qkv + (at.row - at.t) * 3 * D + offset;
#pragma unroll 4
        for (int s = 0; s <= at.t; ++s) {
            const float* from = first + static_cast<long long>(s) * 3 * D;
            float key[size];
            float value[size];
            load(from + D, key);
            load(from + 2 * D, value);
            const float d_score = exp2_fast(dot(query, key) - lse) * (dot(d_context, value) - delta);
#pragma unroll
            for (int c = 0; c < size; ++c) d_query[c] = fmaf(d_score, key[c], d_query[c]);
        }
        scale(d_query, natural);
    }
    store(call.d_qkv + at.row * 3 * D + offset, d_query);
    call.delta[at.row * H + at.head] = delta;
}

template <int D, int H>
__device__ __forceinline__ void pass_to_key_and_value(const SelfAttention& call, const Place<D, H>& at) {
    constexpr int size = D / H;
    const int offset = at.head * size;
    const float natural = rsqrtf(static_cast<float>(size));
    float d_key[size] = {};
    float d_value[size] = {};
    float key[size];
    float value[size];
    load(call.qkv + at.row * 3 * D + D + offset, key);
    load(call.qkv + at.row * 3 * D + 2 * D + offset, value);
    scale(key, log2_e * natural);
#pragma unroll 4
    for (int t = at.t; t < at.length; ++t) {
        const long long row = at.row + (t - at.t);
        float query[size];
        float d_context[size];
        load(call.qkv + row * 3 * D + offset, query);
        load(call.d_context + row * D + offset, d_context);
        const float weight = exp2_fast(dot(query, key) - call.lse[row * H + at.head]);
        const float d_score = weight * (dot(d_context, value) - call.delta[row * H + at.head]);
#pragma unroll
        for (int c = 0; c < size; ++c) {
            d_key[c] = fmaf(d_score, query[c], d_key[c]);
            d_value[c] = fmaf(weight, d_context[c], d_value[c]);
        }
    }
    scale(d_key, natural);
    store(call.d_qkv + at.row * 3 * D + D + offset, d_key);
    store(call.d_qkv + at.row * 3 * D + 2 * D + offset, d_value);
}

template <int D, int H>
__global__ void __launch_bounds__(threads) backward_query(const __grid_constant__ SelfAttention call) {
    const Place<D, H> at(call);
    if (at.valid) pass_to_query(call, at);
}

template <int D, int H>
__global__ void __launch_bounds__(threads) backward_key_value(const __grid_constant__ SelfAttention call) {
    const Place<D, H> at(call);
    if (at.valid) pass_to_key_and_value(call, at);
}

/// Both at once, a block per trajectory: what keys need of queries never leaves it.
template <int D, int H>
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ SelfAttention call) {
    const int work = (call.sizes.n - 1) * H;
    const long long first = static_cast<long long>(blockIdx.x) * work;
    for (int k = static_cast<int>(threadIdx.x); k < work; k += threads) {
        pass_to_query(call, Place<D, H>(call, first + k));
    }
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.x); k < work; k += threads) {
        pass_to_key_and_value(call, Place<D, H>(call, first + k));
    }
}

unsigned block_count(const Sizes& sizes) {
    const long long work = static_cast<long long>(sizes.trajectories()) * sizes.steps() * sizes.heads;
    return static_cast<unsigned>((work + threads - 1) / threads);
}

}  // namespace

void self_attention_forward(const SelfAttention& call, cudaStream_t stream) {
    if (block_count(call.sizes) == 0) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        forward<S::d_e, S::heads><<<block_count(call.sizes), threads, 0, stream>>>(call);
        check_launch("self-attention");
    });
}

void self_attention_backward(const SelfAttention& call, cudaStream_t stream) {
    if (block_count(call.sizes) == 0) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        // Where trajectories are few a launch counts for more than threads without work in a block's last round.
        constexpr int few = 1024;
        if (call.sizes.trajectories() <= few) {
            const auto blocks = static_cast<unsigned>(call.sizes.trajectories());
            backward<S::d_e, S::heads><<<blocks, threads, 0, stream>>>(call);
            check_launch("self-attention, backwards");
            return;
        }
        backward_query<S::d_e, S::heads><<<block_count(call.sizes), threads, 0, stream>>>(call);
        check_launch("self-attention, queries");
        backward_key_value<S::d_e, S::heads><<<block_count(call.sizes), threads, 0, stream>>>(call);
        check_launch("self-attention, keys and values");
    });
}

}  // namespace neuroprim::train::cuda
