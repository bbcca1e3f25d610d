#include <algorithm>

#include "train/cuda/limits.cuh"
#include "train/cuda/open_lists.cuh"
#include "train/cuda/row_sums.cuh"
#include "train/cuda/shapes.cuh"
#include "train/cuda/split_row.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int row_warps = 8;

/// Lanes that share one edge: each takes `part` of its D numbers.
template <int D>
inline constexpr int part = D < 32 ? D : 32;

template <int D>
inline constexpr int split = D / part<D>;

template <int D>
__device__ __forceinline__ float edge_score(const float (&query)[part<D>], const float (&key)[part<D>]) {
    return sum_over<1, split<D> / 2>(dot(query, key));
}

/// A warp per step, a lane per edge. Logits lie in [−C, C], so C serves as the maximum of the softmax.
/// `Limited`: rows have terms, pairs may be closed.
template <int D, bool Limited>
__global__ void __launch_bounds__(query_warps * 32) forward(const __grid_constant__ ActionChoice call) {
    extern __shared__ short shared[];
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const float* __restrict__ keys = call.keys + b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const SplitRow<D> split(lane);
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        float lse = 0;
        float log_probability = 0;
        float entropy = 0;
        if (t < lists.length) {
            const OpenEdges open = lists.at(t, n, lane);
            float query[8];
            split.load(call.query + row * D, query);
            scale(query, rsqrtf(static_cast<float>(D)));
            float sum = 0;
            float weighted = 0;
            const OpenPairs pairs(call.limits, call.sizes, b, t);
            const RowTerms<1> terms(call.limits.terms, row * n, 0);
            EdgeWalk walk(open, lane, 32);
            for (int first = 0; first < open.size(); first += 32, walk.advance()) {
                bool is_open = walk.valid();
                float term = 0;
                if constexpr (Limited) {
                    if (is_open) term = terms.of(walk.source());
                    is_open = is_open && pairs.has(walk.source(), walk.target());
                }
                float read[SplitRow<D>::lanes][8];
                const float score = split.dots(query, keys, walk.place(n), read) + term;
                const float logit = call.clip * tanh_fast(score);
                const float weight = is_open ? exp2_fast(log2_e * (logit - call.clip)) : 0.0f;
                sum += weight;
                weighted = fmaf(weight, logit, weighted);
            }
            sum = sum_over<1, 16>(sum);
            lse = call.clip + logf(sum);
            if (call.entropies != nullptr) entropy = lse - sum_over<1, 16>(weighted) / sum;
            const int chosen = static_cast<int>(call.sources[row]) * n + static_cast<int>(call.targets[row]);
            float key[8];
            split.load(keys + chosen * D, key);
            float score = split.dot_with(query, key);
            if constexpr (Limited) score += terms.of(chosen / n);
            log_probability = call.clip * tanh_fast(score) - lse;
        }
        if (lane == 0) {
            call.log_probabilities[row] = log_probability;
            call.lse[row] = lse;
            if (call.entropies != nullptr) call.entropies[row] = entropy;
        }
    }
}

/// Derivative of the log-probability of the chosen edge by the score (before tanh) of an open edge.
__device__ __forceinline__ float d_score(float score, bool chosen, float clip, float lse) {
    const float bounded = tanh_fast(score);
    const float probability = exp2_fast(log2_e * (clip * bounded - lse));
    return ((chosen ? 1.0f : 0.0f) - probability) * clip * (1.0f - bounded * bounded);
}

/// A warp per step, as in the forward pass.
template <int D, bool Limited>
__global__ void __launch_bounds__(query_warps * 32, 2) backward_query(const __grid_constant__ ActionChoice call) {
    extern __shared__ short shared[];
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const OpenLists lists(shared, call.times, b, n);
    const float* __restrict__ keys = call.keys + b / call.sizes.per_graph * n * n * D;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const SplitRow<D> split(lane);
    const RowSums of_rows(shared, n);
    const float natural = rsqrtf(static_cast<float>(D));
    const float outer = call.d_log_probability[b];
    const int stride = query_warps * static_cast<int>(gridDim.y);
    for (int t = static_cast<int>(blockIdx.y) * query_warps + static_cast<int>(threadIdx.x) / 32; t < steps;
         t += stride) {
        const long long row = b * steps + t;
        float d_query[8] = {};
        if (t < lists.length) {
            const OpenEdges open = lists.at(t, n, lane);
            const float lse = call.lse[row];
            const int chosen = static_cast<int>(call.sources[row]) * n + static_cast<int>(call.targets[row]);
            float query[8];
            split.load(call.query + row * D, query);
            scale(query, natural);
            const OpenPairs pairs(call.limits, call.sizes, b, t);
            const RowTerms<1> terms(call.limits.terms, row * n, 0);
            const bool sums_rows = Limited && call.d_terms != nullptr;
            if (sums_rows) of_rows.clear(open.row_count, lane);
            EdgeWalk walk(open, lane, 32);
            for (int first = 0; first < open.size(); first += 32, walk.advance()) {
                bool is_open = walk.valid();
                float term = 0;
                if constexpr (Limited) {
                    if (is_open) term = terms.of(walk.source());
                    is_open = is_open && pairs.has(walk.source(), walk.target());
                }
                const int edge = walk.place(n);
                float read[SplitRow<D>::lanes][8];
                const float score = split.dots(query, keys, edge, read) + term;
                const float slope = is_open ? outer * d_score(score, edge == chosen, call.clip, lse) : 0.0f;
                split.add(slope, read, d_query);
                if (sums_rows) of_rows.add(slope, walk, open.column_count, lane);
            }
            for (int r = lane; sums_rows && r < open.row_count; r += 32) {
                call.d_terms[row * n + open.rows[r]] = of_rows.sums[r];
            }
        }
        split.store_sum(d_query, natural, call.d_query + row * D);
    }
}

/// A block per graph, row u and tile of columns; a thread holds 16 numbers of one key. The warps share the
/// trajectories among them and add up at the end, always in the same order.
template <int D, bool Limited>
__global__ void __launch_bounds__(row_warps * 32) backward_key(const __grid_constant__ ActionChoice call) {
    __shared__ float sums[row_warps][part<D>][33];
    constexpr int tile = 32 / split<D>;
    const int n = call.sizes.n;
    const int steps = n - 1;
    const int u = static_cast<int>(blockIdx.y);
    const long long graph = blockIdx.z;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int piece = lane % split<D>;
    const int column = static_cast<int>(blockIdx.x) * tile + lane / split<D>;
    const int v = min(column, n - 1);
    const float natural = rsqrtf(static_cast<float>(D));
    const long long place = ((graph * n + u) * n + v) * D + piece * part<D>;
    float key[part<D>];
    load(call.keys + place, key);
#pragma unroll
    for (int c = 0; c < part<D>; ++c) key[c] *= natural;
    float d_key[part<D>] = {};
    const long long first = graph * call.sizes.per_graph;
    for (long long b = first + warp; b < first + call.sizes.per_graph; b += row_warps) {
        const int begin = call.times.enter[b * n + u];
        const int until = min(call.times.close[b * n + u], call.times.lengths[b]);
        const int joined = call.times.enter[b * n + v];
        const float outer = call.d_log_probability[b] * natural;
        // v joins at the step before it enters; whether through u is asked of that step alone.
        const bool through_u = joined >= 1 && joined <= steps && call.sources[b * steps + joined - 1] == u;
        int end = min(until, joined);
#pragma unroll
        for (int bit = 16; bit >= 1; bit /= 2) end = max(end, __shfl_xor_sync(all_lanes, end, bit));
        const float* __restrict__ queries = call.query + b * steps * D + piece * part<D>;
        const float* __restrict__ lses = call.lse + b * steps;
        for (int t = begin; t < end; ++t) {
            float query[part<D>];
            load(queries + t * D, query);
            float score = edge_score<D>(query, key);
            bool open = t < joined;
            if constexpr (Limited) {
                score += RowTerms<1>(call.limits.terms, (b * steps + t) * n, 0).of(u);
                open = open && OpenPairs(call.limits, call.sizes, b, t).has(u, v);
            }
            const float slope =
                open ? outer * d_score(score, through_u && t == joined - 1, call.clip, lses[t]) : 0.0f;
#pragma unroll
            for (int c = 0; c < part<D>; ++c) d_key[c] = fmaf(slope, query[c], d_key[c]);
        }
    }
#pragma unroll
    for (int c = 0; c < part<D>; ++c) sums[warp][c][lane] = d_key[c];
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.x); k < 32 * part<D>; k += row_warps * 32) {
        const int c = k % part<D>;
        const int from = k / part<D>;
        const int target = static_cast<int>(blockIdx.x) * tile + from / split<D>;
        if (target >= n) continue;
        float sum = 0;
#pragma unroll
        for (int w = 0; w < row_warps; ++w) sum += sums[w][c][from];
        call.d_keys[((graph * n + u) * n + target) * D + from % split<D> * part<D> + c] = sum;
    }
}

bool is_empty(const Sizes& sizes) {
    return sizes.trajectories() == 0 || sizes.steps() < 1;
}

}  // namespace

void action_choice_forward(const ActionChoice& call, cudaStream_t stream) {
    if (is_empty(call.sizes)) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        constexpr int d_e = decltype(shape)::d_e;
        const auto kernel = call.limits.any() ? forward<d_e, true> : forward<d_e, false>;
        kernel<<<query_grid(call.sizes), query_warps * 32, OpenLists::bytes(call.sizes.n), stream>>>(call);
        check_launch("action choice");
    });
}

void action_choice_queries(const ActionChoice& call, cudaStream_t stream) {
    if (is_empty(call.sizes)) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        constexpr int d_e = decltype(shape)::d_e;
        const bool limited = call.limits.any();
        const auto of_queries = limited ? backward_query<d_e, true> : backward_query<d_e, false>;
        const std::size_t bytes = OpenLists::bytes(call.sizes.n) + (limited ? RowSums::bytes(call.sizes.n) : 0);
        allow_shared_memory(of_queries, bytes);
        of_queries<<<query_grid(call.sizes), query_warps * 32, bytes, stream>>>(call);
        check_launch("action choice, queries");
    });
}

void action_choice_keys(const ActionChoice& call, cudaStream_t stream) {
    if (is_empty(call.sizes)) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        constexpr int d_e = decltype(shape)::d_e;
        const bool limited = call.limits.any();
        constexpr int tile = 32 / split<d_e>;
        const dim3 grid(static_cast<unsigned>((call.sizes.n + tile - 1) / tile), static_cast<unsigned>(call.sizes.n),
                        static_cast<unsigned>(call.sizes.graphs));
        const auto of_keys = limited ? backward_key<d_e, true> : backward_key<d_e, false>;
        of_keys<<<grid, row_warps * 32, 0, stream>>>(call);
        check_launch("action choice, keys");
    });
}

}  // namespace neuroprim::train::cuda
