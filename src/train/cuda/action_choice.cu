#include "train/cuda/edge_visits.cuh"
#include "train/cuda/limits.cuh"
#include "train/cuda/open_lists.cuh"
#include "train/cuda/row_sums.cuh"
#include "train/cuda/shapes.cuh"
#include "train/cuda/split_row.cuh"

namespace neuroprim::train::cuda {

namespace {

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

/// Warps of a block; as many as registers allow twice on a multiprocessor.
template <int D>
inline constexpr int edge_warps = D == 16   ? 16
                                  : D == 32 ? 12
                                            : 8;

/// A warp per edge, a lane per step at which it was open.
template <int D, bool Limited>
__global__ void __launch_bounds__(edge_warps<D> * 32, 2) backward_key(const __grid_constant__ ActionChoice call) {
    const int n = call.sizes.n;
    const int steps = n - 1;
    const WarpEdge<edge_warps<D>> edge;
    const SplitRow<D> split(static_cast<int>(threadIdx.x) % 32);
    const float natural = rsqrtf(static_cast<float>(D));
    float key[8];
    split.load(call.keys + edge.place(n) * D, key);
    scale(key, natural);
    float d_key[8] = {};
    const auto add_steps = [&](long long b, int t, bool is_open, int) {
        const int row = static_cast<int>(b * steps + t);
        const float outer = call.d_log_probability[b];
        const float lse = call.lse[row];
        const bool chosen = call.sources[row] == edge.u && call.targets[row] == edge.v;
        float term = 0;
        if constexpr (Limited) term = RowTerms<1>(call.limits.terms, static_cast<long long>(row) * n, 0).of(edge.u);
        float read[SplitRow<D>::lanes][8];
        const float score = split.dots(key, call.query, row, read) + term;
        const float slope = is_open ? outer * d_score(score, chosen, call.clip, lse) : 0.0f;
        split.add(slope, read, d_key);
    };
    for_open_steps<Limited>(edge, call.sizes, call.times, call.limits, add_steps);
    if (edge.v < n) split.store_sum(d_key, natural, call.d_keys + edge.place(n) * D);
}

}  // namespace

void action_choice_forward(const ActionChoice& call, cudaStream_t stream) {
    if (call.sizes.is_empty()) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        constexpr int d_e = decltype(shape)::d_e;
        const auto kernel = call.limits.any() ? forward<d_e, true> : forward<d_e, false>;
        kernel<<<query_grid(call.sizes), query_warps * 32, OpenLists::bytes(call.sizes.n), stream>>>(call);
        check_launch("action choice");
    });
}

void action_choice_queries(const ActionChoice& call, cudaStream_t stream) {
    if (call.sizes.is_empty()) return;
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
    if (call.sizes.is_empty()) return;
    for_known_shape(call.sizes.d_e, call.sizes.heads, [&](auto shape) {
        constexpr int d_e = decltype(shape)::d_e;
        const bool limited = call.limits.any();
        constexpr int warps = edge_warps<d_e>;
        const auto of_keys = limited ? backward_key<d_e, true> : backward_key<d_e, false>;
        of_keys<<<edge_grid(call.sizes, warps), warps * 32, 0, stream>>>(call);
        check_launch("action choice, keys");
    });
}

}  // namespace neuroprim::train::cuda
