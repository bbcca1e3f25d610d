#include "train/cuda/edge_visits.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

/// Warps of a block; as many as registers allow twice on a multiprocessor.
template <int D, int H>
inline constexpr int edge_warps = D / H == 2   ? 12
                                  : D / H == 4 ? 16
                                               : 8;

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

}  // namespace

void edge_attention_keys(const EdgeAttention& call, cudaStream_t stream) {
    if (call.sizes.is_empty()) return;
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
