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

/// Who does what in the passes of a warp per step: how many heads are a lane's own, how many lanes serve an edge, how
/// many edges are taken at once, and how many of those are on their way.
template <int D, int H, bool Limited>
struct StepLayout {
    static constexpr int size = D / H;
    static constexpr int own = size < 4 && !Limited ? 4 / size : 1;
    static constexpr int part = own * size;
    static constexpr int lanes = H / own;
    static constexpr int groups = 32 / lanes;
    static constexpr int batch = size == 4 && !Limited ? 4 : 2;
};

/// A warp per step. `Limited`: rows have terms, pairs may be closed.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(query_warps * 32, (D / H <= 4 ? 4 : 3) - Limited)
    forward(const __grid_constant__ EdgeAttention call) {
    extern __shared__ short shared[];
    using L = StepLayout<D, H, Limited>;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const long long table = b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int piece = lane % L::lanes;
    const float* __restrict__ keys = call.keys + table + piece * L::part;
    const float* __restrict__ values = call.values + table + piece * L::part;
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        RunningSoftmax<L::size> softmax[L::own];
        float lse[L::own] = {};
        if (t < lists.length) {
            float query[L::part];
            load(call.query + row * D + piece * L::part, query);
            scale(query, log2_e * rsqrtf(static_cast<float>(L::size)));
            const OpenPairs pairs(call.limits, call.sizes, b, t);
            const RowTerms<H> terms(call.limits.terms, row * n, piece);
            const auto attend_to = [&](int edges, int rows, int count) {
#pragma unroll 1
                for (int from = 0; from < count; from += L::batch * L::groups) {
                    float scores[L::own][L::batch];
                    float key[L::batch][L::part];
                    float value[L::own][L::batch][L::size];
#pragma unroll
                    for (int k = 0; k < L::batch; ++k) {
                        const int turn = from + k * L::groups + lane / L::lanes;
                        const int found = __shfl_sync(all_lanes, edges, turn);
                        const int place = (found >= 0 ? found : ~found) * D;
                        float read[L::part];
                        load(keys + place, key[k]);
                        load(values + place, read);
                        float term = 0;
                        if constexpr (Limited) term = terms.of(__shfl_sync(all_lanes, rows, turn));
#pragma unroll
                        for (int c = 0; c < L::part; ++c) value[c / L::size][k][c % L::size] = read[c];
#pragma unroll
                        for (int h = 0; h < L::own; ++h) scores[h][k] = found >= 0 ? log2_e * term : -INFINITY;
                    }
#pragma unroll
                    for (int k = 0; k < L::batch; ++k) {
#pragma unroll
                        for (int c = 0; c < L::part; ++c) {
                            scores[c / L::size][k] = fmaf(query[c], key[k][c], scores[c / L::size][k]);
                        }
                    }
#pragma unroll
                    for (int h = 0; h < L::own; ++h) softmax[h].add(scores[h], value[h]);
                }
            };
            for_open_edges<Limited>(lists.at(t, n, lane), pairs, n, lane, attend_to);
#pragma unroll
            for (int h = 0; h < L::own; ++h) {
                softmax[h].template join<L::lanes, 16>();
                scale(softmax[h].total, 1.0f / softmax[h].sum);
                lse[h] = softmax[h].top + log2f(softmax[h].sum);
            }
        }
        if (lane < L::lanes) {
#pragma unroll
            for (int h = 0; h < L::own; ++h) {
                store(call.context + row * D + piece * L::part + h * L::size, softmax[h].total);
            }
            store(call.lse + row * H + piece * L::own, lse);
        }
    }
}

/// A warp per step, as in the forward pass. Terms have gradients row by row, so there the lanes share one row at a
/// time.
template <int D, int H, bool Limited>
__global__ void __launch_bounds__(query_warps * 32, D / H <= 4 ? 4
                                                    : Limited  ? 2
                                                               : 3)
    backward_query(const __grid_constant__ EdgeAttention call) {
    extern __shared__ short shared[];
    using L = StepLayout<D, H, Limited>;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const long long table = b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int piece = lane % L::lanes;
    const float* __restrict__ keys = call.keys + table + piece * L::part;
    const float* __restrict__ values = call.values + table + piece * L::part;
    const float natural = rsqrtf(static_cast<float>(L::size));
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        float d_query[L::part] = {};
        float delta[L::own] = {};
        if (t < lists.length) {
            const OpenEdges open = lists.at(t, n, lane);
            float query[L::part];
            float context[L::part];
            float d_context[L::part];
            float shift[L::own];
            load(call.query + row * D + piece * L::part, query);
            scale(query, log2_e * natural);
            load(call.context + row * D + piece * L::part, context);
            load(call.d_context + row * D + piece * L::part, d_context);
#pragma unroll
            for (int c = 0; c < L::part; ++c) {
                delta[c / L::size] = fmaf(context[c], d_context[c], delta[c / L::size]);
            }
            load(call.lse + row * H + piece * L::own, shift);
            scale(shift, -1.0f);
            const OpenPairs pairs(call.limits, call.sizes, b, t);
            // Edges as in `for_open_edges`, `term` added to their scores; returns the sum of the scores' gradients.
            const auto add_edges = [&](const int(&edges)[L::batch], float term) {
                float key[L::batch][L::part];
                float value[L::batch][L::part];
#pragma unroll
                for (int k = 0; k < L::batch; ++k) {
                    const int place = (edges[k] >= 0 ? edges[k] : ~edges[k]) * D;
                    load(keys + place, key[k]);
                    load(values + place, value[k]);
                }
                float sum = 0;
#pragma unroll
                for (int k = 0; k < L::batch; ++k) {
#pragma unroll
                    for (int h = 0; h < L::own; ++h) {
                        float score = shift[h] + term;
                        float d_weight = -delta[h];
#pragma unroll
                        for (int c = h * L::size; c < (h + 1) * L::size; ++c) {
                            score = fmaf(query[c], key[k][c], score);
                            d_weight = fmaf(d_context[c], value[k][c], d_weight);
                        }
                        const float d_score = edges[k] >= 0 ? exp2_fast(score) * d_weight : 0.0f;
                        sum += d_score;
#pragma unroll
                        for (int c = h * L::size; c < (h + 1) * L::size; ++c) {
                            d_query[c] = fmaf(d_score, key[k][c], d_query[c]);
                        }
                    }
                }
                return sum;
            };
            if constexpr (Limited) {
                const RowTerms<H> terms(call.limits.terms, row * n, piece);
                for (int r = 0; r < open.row_count; ++r) {
                    const int u = open.rows[r];
                    const float term = log2_e * terms.of(u);
                    float d_term = 0;
                    for (int from = 0; from < open.column_count; from += L::batch * L::groups) {
                        int edges[L::batch];
#pragma unroll
                        for (int k = 0; k < L::batch; ++k) {
                            const int c = from + k * L::groups + lane / L::lanes;
                            const int v = open.columns[min(c, open.column_count - 1)];
                            const bool is_open = c < open.column_count && pairs.has(u, v);
                            edges[k] = is_open ? u * n + v : ~(u * n + v);
                        }
                        d_term += add_edges(edges, term);
                    }
                    if (call.d_terms != nullptr) {
                        d_term = sum_over<L::lanes, 16>(d_term);
                        if (lane < H) call.d_terms[(row * n + u) * H + piece] = d_term;
                    }
                }
            } else {
                for_open_edges<false>(open, pairs, n, lane, [&](int listed, int, int count) {
                    for (int from = 0; from < count; from += L::batch * L::groups) {
                        int edges[L::batch];
#pragma unroll
                        for (int k = 0; k < L::batch; ++k) {
                            edges[k] = __shfl_sync(all_lanes, listed, from + k * L::groups + lane / L::lanes);
                        }
                        add_edges(edges, 0.0f);
                    }
                });
            }
#pragma unroll
            for (int c = 0; c < L::part; ++c) d_query[c] = natural * sum_over<L::lanes, 16>(d_query[c]);
        }
        if (lane < L::lanes) {
            store(call.d_query + row * D + piece * L::part, d_query);
            store(call.delta + row * H + piece * L::own, delta);
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
