#include "train/cuda/limits.cuh"
#include "train/cuda/open_lists.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

/// Calls `use(edges, rows, count)` for the open edges of a step, a lane each and 32 at a time: `count` lanes from the
/// first on have one. `edges` is the lane's edge as a number of an n × n table, its complement where a limit closes
/// the pair or there is none, and `rows` its row.
template <bool Limited, class Use>
__device__ __forceinline__ void for_open_edges(const OpenEdges& open, const OpenPairs& pairs, int n, int lane,
                                               Use&& use) {
    const int size = open.size();
    EdgeWalk walk(open, lane, 32);
    for (int first = 0; first < size; first += 32, walk.advance()) {
        const int u = walk.source();
        const int v = walk.target();
        bool is_open = walk.valid();
        if constexpr (Limited) is_open = is_open && pairs.has(u, v);
        const int edge = u * n + v;
        use(is_open ? edge : ~edge, u, min(size - first, 32));
    }
}

/// A warp per step: lane h + H·k serves head h. `Limited`: rows have terms, pairs may be closed.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(query_warps * 32, (D / H <= 4 ? 4 : 3) - Limited)
    forward(const __grid_constant__ EdgeAttention call) {
    extern __shared__ short shared[];
    constexpr int size = D / H;
    constexpr int groups = 32 / H;
    constexpr int batch = size <= 4 && !Limited ? 4 : 2;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const long long table = b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int head = lane % H;
    const float* __restrict__ keys = call.keys + table + head * size;
    const float* __restrict__ values = call.values + table + head * size;
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        RunningSoftmax<size> softmax;
        float lse = 0;
        if (t < lists.length) {
            float query[size];
            load(call.query + row * D + head * size, query);
            scale(query, log2_e * rsqrtf(static_cast<float>(size)));
            const OpenPairs pairs(call.limits, call.sizes, b, t);
            const RowTerms<H> terms(call.limits.terms, row * n, head);
            const auto attend_to = [&](int edges, int rows, int count) {
#pragma unroll 1
                for (int from = 0; from < count; from += batch * groups) {
                    float scores[batch];
                    float key[batch][size];
                    float value[batch][size];
#pragma unroll
                    for (int k = 0; k < batch; ++k) {
                        const int turn = from + k * groups + lane / H;
                        const int found = __shfl_sync(all_lanes, edges, turn);
                        const int place = (found >= 0 ? found : ~found) * D;
                        load(keys + place, key[k]);
                        load(values + place, value[k]);
                        scores[k] = found >= 0 ? 0.0f : -INFINITY;
                        if constexpr (Limited) {
                            const float term = terms.of(__shfl_sync(all_lanes, rows, turn));
                            if (found >= 0) scores[k] = log2_e * term;
                        }
                    }
#pragma unroll
                    for (int k = 0; k < batch; ++k) scores[k] += dot(query, key[k]);
                    softmax.add(scores, value);
                }
            };
            for_open_edges<Limited>(lists.at(t, n, lane), pairs, n, lane, attend_to);
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
__global__ void __launch_bounds__(query_warps * 32, D / H <= 4 ? 4 : 3)
    backward_query(const __grid_constant__ EdgeAttention call) {
    extern __shared__ short shared[];
    constexpr int size = D / H;
    constexpr int groups = 32 / H;
    constexpr int batch = size <= 4 && !Limited ? 4 : 2;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const long long table = b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int head = lane % H;
    const float* __restrict__ keys = call.keys + table + head * size;
    const float* __restrict__ values = call.values + table + head * size;
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
            const OpenPairs pairs(call.limits, call.sizes, b, t);
            // Edges as in `for_open_edges`, whose scores are made of q·k + shift; returns the sum of their gradients.
            const auto add_edges = [&](const int(&edges)[batch], float shift) {
                float key[batch][size];
                float value[batch][size];
#pragma unroll
                for (int k = 0; k < batch; ++k) {
                    const int place = (edges[k] >= 0 ? edges[k] : ~edges[k]) * D;
                    load(keys + place, key[k]);
                    load(values + place, value[k]);
                }
                float sum = 0;
#pragma unroll
                for (int k = 0; k < batch; ++k) {
                    const float weight = edges[k] >= 0 ? exp2_fast(dot(query, key[k]) + shift) : 0.0f;
                    const float d_score = weight * (dot(d_context, value[k]) - delta);
                    sum += d_score;
#pragma unroll
                    for (int c = 0; c < size; ++c) d_query[c] = fmaf(d_score, key[k][c], d_query[c]);
                }
                return sum;
            };
            if constexpr (Limited) {
                const RowTerms<H> terms(call.limits.terms, row * n, head);
                for (int r = 0; r < open.row_count; ++r) {
                    const int u = open.rows[r];
                    const float shift = log2_e * terms.of(u) - lse;
                    float d_term = 0;
                    for (int from = 0; from < open.column_count; from += batch * groups) {
                        int edges[batch];
#pragma unroll
                        for (int k = 0; k < batch; ++k) {
                            const int c = from + k * groups + lane / H;
                            const int v = open.columns[min(c, open.column_count - 1)];
                            const bool is_open = c < open.column_count && pairs.has(u, v);
                            edges[k] = is_open ? u * n + v : ~(u * n + v);
                        }
                        d_term += add_edges(edges, shift);
                    }
                    if (call.d_terms != nullptr) {
                        d_term = sum_over<H, 16>(d_term);
                        if (lane < H) call.d_terms[(row * n + u) * H + head] = d_term;
                    }
                }
            } else {
                for_open_edges<false>(open, pairs, n, lane, [&](int listed, int, int count) {
                    for (int from = 0; from < count; from += batch * groups) {
                        int edges[batch];
#pragma unroll
                        for (int k = 0; k < batch; ++k) {
                            edges[k] = __shfl_sync(all_lanes, listed, from + k * groups + lane / H);
                        }
                        add_edges(edges, -lse);
                    }
                });
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

}  // namespace

void edge_attention_forward(const EdgeAttention& call, cudaStream_t stream) {
    if (call.sizes.is_empty()) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        const auto kernel = call.limits.any() ? forward<S::d_e, S::heads, true> : forward<S::d_e, S::heads, false>;
        kernel<<<query_grid(call.sizes), query_warps * 32, OpenLists::bytes(call.sizes.n), stream>>>(call);
        check_launch("edge attention");
    });
}

void edge_attention_queries(const EdgeAttention& call, cudaStream_t stream) {
    if (call.sizes.is_empty()) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        using S = decltype(shape);
        const bool limited = call.limits.any();
        const auto of_queries =
            limited ? backward_query<S::d_e, S::heads, true> : backward_query<S::d_e, S::heads, false>;
        of_queries<<<query_grid(call.sizes), query_warps * 32, OpenLists::bytes(call.sizes.n), stream>>>(call);
        check_launch("edge attention, queries");
    });
}

}  // namespace neuroprim::train::cuda
