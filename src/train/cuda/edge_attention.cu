#include <algorithm>

#include "train/cuda/limits.cuh"
#include "train/cuda/open_lists.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int row_threads = 256;

template <int Size>
__device__ __forceinline__ void scale(float (&x)[Size], float factor) {
#pragma unroll
    for (int c = 0; c < Size; ++c) x[c] *= factor;
}

/// A warp per step: lane h + H·k serves head h. `Limited`: rows have terms, pairs may be closed.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(query_warps * 32) forward(const __grid_constant__ EdgeAttention call) {
    extern __shared__ short shared[];
    constexpr int size = D / H;
    constexpr int groups = 32 / H;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const long long table = b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int head = lane % H;
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        RunningSoftmax<size> softmax;
        float lse = 0;
        if (t < lists.length) {
            const OpenEdges open = lists.at(t, n, lane);
            float query[size];
            load(call.query + row * D + head * size, query);
            scale(query, log2_e * rsqrtf(static_cast<float>(size)));
            if constexpr (Limited) {
                const OpenPairs pairs(call.limits, call.sizes, b, t);
                const RowTerms<H> terms(call.limits.terms, row * n, head);
                attend_to_pairs<D, H>(
                    softmax, query, call.keys + table, call.values + table, n, open, lane / H, groups, head,
                    [&](int u, int v) { return pairs.has(u, v); }, [&](int u) { return log2_e * terms.of(u); });
            } else {
                attend<D, H>(softmax, query, call.keys + table, call.values + table, n, open, lane / H, groups, head);
            }
            softmax.template join<H, 16>();
            scale(softmax.total, 1.0f / softmax.sum);
            lse = softmax.top + log2f(softmax.sum);
        }
        if (lane < H) {
            store(call.context + row * D + head * size, softmax.total);
            call.lse[row * H + head] = lse;
        }
    }
}

/// A warp per step, as in the forward pass. Terms have gradients row by row, so there the lanes share one row at a
/// time.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(query_warps * 32) backward_query(const __grid_constant__ EdgeAttention call) {
    extern __shared__ short shared[];
    constexpr int size = D / H;
    constexpr int groups = 32 / H;
    constexpr int batch = size <= 4 ? 4 : 2;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const long long table = b / call.sizes.per_graph * n * n * D;
    const float* __restrict__ keys = call.keys + table;
    const float* __restrict__ values = call.values + table;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int head = lane % H;
    const float natural = rsqrtf(static_cast<float>(size));
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        float d_query[size] = {};
        float delta = 0;
        if (t < lists.length) {
            const OpenEdges open = lists.at(t, n, lane);
            float query[size];
            float context[size];
            float d_context[size];
            load(call.query + row * D + head * size, query);
            scale(query, log2_e * natural);
            load(call.context + row * D + head * size, context);
            load(call.d_context + row * D + head * size, d_context);
            delta = dot(context, d_context);
            const float lse = call.lse[row * H + head];
            if constexpr (Limited) {
                const OpenPairs pairs(call.limits, call.sizes, b, t);
                const RowTerms<H> terms(call.limits.terms, row * n, head);
                for (int r = 0; r < open.row_count; ++r) {
                    const int u = open.rows[r];
                    const float shift = log2_e * terms.of(u) - lse;
                    float d_term = 0;
                    for (int c = lane / H; c < open.column_count; c += groups) {
                        const int v = open.columns[c];
                        const int place = (u * n + v) * D + head * size;
                        float key[size];
                        float value[size];
                        load(keys + place, key);
                        load(values + place, value);
                        const float weight = pairs.has(u, v) ? exp2_fast(dot(query, key) + shift) : 0.0f;
                        const float d_score = weight * (dot(d_context, value) - delta);
                        d_term += d_score;
#pragma unroll
                        for (int k = 0; k < size; ++k) d_query[k] = fmaf(d_score, key[k], d_query[k]);
                    }
                    if (call.d_terms != nullptr) {
                        d_term = sum_over<H, 16>(d_term);
                        if (lane < H) call.d_terms[(row * n + u) * H + head] = d_term;
                    }
                }
            }
            EdgeWalk walk(open, lane / H, groups);
            while (!Limited && walk.valid()) {
                float key[batch][size];
                float value[batch][size];
                bool valid[batch];
#pragma unroll
                for (int k = 0; k < batch; ++k) {
                    valid[k] = walk.valid();
                    const int place = walk.place(n) * D + head * size;
                    load(keys + place, key[k]);
                    load(values + place, value[k]);
                    walk.advance();
                }
#pragma unroll
                for (int k = 0; k < batch; ++k) {
                    const float weight = valid[k] ? exp2_fast(dot(query, key[k]) - lse) : 0.0f;
                    const float d_score = weight * (dot(d_context, value[k]) - delta);
#pragma unroll
                    for (int c = 0; c < size; ++c) d_query[c] = fmaf(d_score, key[k][c], d_query[c]);
                }
            }
#pragma unroll
            for (int c = 0; c < size; ++c) d_query[c] = natural * sum_over<H, 16>(d_query[c]);
        }
        if (lane < H) {
            store(call.d_query + row * D + head * size, d_query);
            call.delta[row * H + head] = delta;
        }
    }
}

/// A block per graph, row u and tile of columns; a thread per (column v, head) holds its key and value and visits the
/// steps of all trajectories at which (u, v) was open, so that nothing is added to memory twice.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(row_threads) backward_key_value(const __grid_constant__ EdgeAttention call) {
    constexpr int size = D / H;
    constexpr int tile = row_threads / H;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const int u = static_cast<int>(blockIdx.y);
    const long long graph = blockIdx.z;
    const int head = static_cast<int>(threadIdx.x) % H;
    const int column = static_cast<int>(blockIdx.x) * tile + static_cast<int>(threadIdx.x) / H;
    const int v = min(column, n - 1);
    const float natural = rsqrtf(static_cast<float>(size));
    const long long place = ((graph * n + u) * n + v) * D + head * size;
    float key[size];
    float value[size];
    load(call.keys + place, key);
    load(call.values + place, value);
    scale(key, log2_e * natural);
    float d_key[size] = {};
    float d_value[size] = {};
    const long long first = graph * call.sizes.per_graph;
    for (long long b = first; b < first + call.sizes.per_graph; ++b) {
        const int begin = call.times.enter[b * n + u];
        const int end = min(min(call.times.close[b * n + u], call.times.enter[b * n + v]), call.times.lengths[b]);
        if (begin >= end) continue;
        const float* __restrict__ queries = call.query + b * steps * D + head * size;
        const float* __restrict__ d_contexts = call.d_context + b * steps * D + head * size;
        const float* __restrict__ lses = call.lse + b * steps * H + head;
        const float* __restrict__ deltas = call.delta + b * steps * H + head;
#pragma unroll 2
        for (int t = begin; t < end; ++t) {
            float query[size];
            float d_context[size];
            load(queries + t * D, query);
            load(d_contexts + t * D, d_context);
            float shift = -lses[t * H];
            if constexpr (Limited) {
                if (!OpenPairs(call.limits, call.sizes, b, t).has(u, v)) continue;
                shift += log2_e * RowTerms<H>(call.limits.terms, (b * steps + t) * n, head).of(u);
            }
            const float weight = exp2_fast(dot(query, key) + shift);
            const float d_score = weight * (dot(d_context, value) - deltas[t * H]);
#pragma unroll
            for (int c = 0; c < size; ++c) {
                d_key[c] = fmaf(d_score, query[c], d_key[c]);
                d_value[c] = fmaf(weight, d_context[c], d_value[c]);
            }
        }
    }
    if (column >= n) return;
    scale(d_key, natural);
    store(call.d_keys + place, d_key);
    store(call.d_values + place, d_value);
}

bool is_empty(const Sizes& sizes) {
    return sizes.trajectories() == 0 || sizes.steps() < 1;
}

}  // namespace

void edge_attention_forward(const EdgeAttention& call, cudaStream_t stream) {
    if (is_empty(call.sizes)) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        const auto kernel = call.limits.any() ? forward<S::d_e, S::heads, true> : forward<S::d_e, S::heads, false>;
        kernel<<<query_grid(call.sizes), query_warps * 32, OpenLists::bytes(call.sizes.n), stream>>>(call);
        check_launch("edge attention");
    });
}

void edge_attention_queries(const EdgeAttention& call, cudaStream_t stream) {
    if (is_empty(call.sizes)) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        const bool limited = call.limits.any();
        const auto of_queries =
            limited ? backward_query<S::d_e, S::heads, true> : backward_query<S::d_e, S::heads, false>;
        of_queries<<<query_grid(call.sizes), query_warps * 32, OpenLists::bytes(call.sizes.n), stream>>>(call);
        check_launch("edge attention, queries");
    });
}

void edge_attention_keys(const EdgeAttention& call, cudaStream_t stream) {
    if (is_empty(call.sizes)) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        const bool limited = call.limits.any();
        constexpr int tile = row_threads / S::heads;
        const dim3 grid(static_cast<unsigned>((call.sizes.n + tile - 1) / tile), static_cast<unsigned>(call.sizes.n),
                        static_cast<unsigned>(call.sizes.graphs));
        const auto of_keys =
            limited ? backward_key_value<S::d_e, S::heads, true> : backward_key_value<S::d_e, S::heads, false>;
        of_keys<<<grid, row_threads, 0, stream>>>(call);
        check_launch("edge attention, keys and values");
    });
}

}  // namespace neuroprim::train::cuda
