#include <algorithm>

#include "train/cuda/edge_visits.cuh"
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

/// Warps of a block; as many as registers allow twice on a multiprocessor.
template <int D, int H>
inline constexpr int edge_warps = D / H == 2 ? 12 : D / H == 4 ? 16 : 8;

/// A warp per edge, which holds its key and value and meets the steps of all trajectories at which it was open, so
/// that nothing is added to memory twice. A few lanes serve a step, each at least four numbers.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(edge_warps<D, H> * 32)
    backward_key_value(const __grid_constant__ EdgeAttention call) {
    constexpr int size = D / H;
    constexpr int own = size < 4 ? 4 / size : 1;  // heads of a lane
    constexpr int part = own * size;
    constexpr int lanes = D / part;
    constexpr int per_round = 32 / lanes;
    constexpr int rounds = 2;  // with their numbers on the way at once
    const int n = call.sizes.n;
    const int steps = n - 1;
    const WarpEdge<edge_warps<D, H>> edge;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int piece = lane % lanes;
    const float natural = rsqrtf(static_cast<float>(size));
    const long long place = edge.place(n) * D + piece * part;
    float key[part];
    float value[part];
    load(call.keys + place, key);
    load(call.values + place, value);
    scale(key, log2_e * natural);
    float d_key[part] = {};
    float d_value[part] = {};
    const auto add_steps = [&](long long b, int t, bool is_open, int count) {
        const int row = static_cast<int>(b * steps + t);
        const int marked = is_open ? row : ~row;
        for (int from = lane / lanes; from - lane / lanes < count; from += rounds * per_round) {
            float query[rounds][part];
            float d_context[rounds][part];
            float lse[rounds][own];
            float delta[rounds][own];
            float term[rounds][own] = {};
            bool counts[rounds];
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                const int found = __shfl_sync(all_lanes, marked, from + r * per_round);
                counts[r] = found >= 0;
                const long long at = counts[r] ? found : ~found;
                load(call.query + at * D + piece * part, query[r]);
                load(call.d_context + at * D + piece * part, d_context[r]);
                load(call.lse + at * H + piece * own, lse[r]);
                load(call.delta + at * H + piece * own, delta[r]);
                if (Limited && call.limits.terms != nullptr) {
                    load(call.limits.terms + (at * n + edge.u) * H + piece * own, term[r]);
                }
            }
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
#pragma unroll
                for (int h = 0; h < own; ++h) {
                    float score = fmaf(log2_e, term[r][h], -lse[r][h]);
                    float d_weight = -delta[r][h];
#pragma unroll
                    for (int c = h * size; c < (h + 1) * size; ++c) {
                        score = fmaf(query[r][c], key[c], score);
                        d_weight = fmaf(d_context[r][c], value[c], d_weight);
                    }
                    const float weight = counts[r] ? exp2_fast(score) : 0.0f;
                    const float d_score = weight * d_weight;
#pragma unroll
                    for (int c = h * size; c < (h + 1) * size; ++c) {
                        d_key[c] = fmaf(d_score, query[r][c], d_key[c]);
                        d_value[c] = fmaf(weight, d_context[r][c], d_value[c]);
                    }
                }
            }
        }
    };
    for_open_steps<Limited>(edge, call.sizes, call.times, call.limits, add_steps);
#pragma unroll
    for (int c = 0; c < part; ++c) {
        d_key[c] = natural * sum_over<lanes, 16>(d_key[c]);
        d_value[c] = sum_over<lanes, 16>(d_value[c]);
    }
    if (lane >= lanes || edge.v >= n) return;
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
        constexpr int warps = edge_warps<S::d_e, S::heads>;
        const auto of_keys =
            limited ? backward_key_value<S::d_e, S::heads, true> : backward_key_value<S::d_e, S::heads, false>;
        of_keys<<<edge_grid(call.sizes, warps), warps * 32, 0, stream>>>(call);
        check_launch("edge attention, keys and values");
    });
}

}  // namespace neuroprim::train::cuda
