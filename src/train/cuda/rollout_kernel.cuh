#pragma once

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/limits.cuh"
#include "train/cuda/philox.cuh"
#include "train/cuda/rollout_clock.cuh"
#include "train/cuda/rollout_memory.cuh"
#include "train/cuda/rollout_record.cuh"
#include "train/cuda/rollout_tree.cuh"
#include "train/cuda/rollout_weights.cuh"

/// One tree that a group of warps grows, step by step, from its start to its cost.
namespace neuroprim::train::cuda {

struct Candidate {
    float score;
    int edge;     // both ends in one number, in the order of the edges' numbers; or `never`
    float logit;  // without noise

    __device__ __forceinline__ static int joined(int source, int target) { return source << 16 | target; }
    [[nodiscard]] __device__ __forceinline__ int source() const { return edge >> 16; }
    [[nodiscard]] __device__ __forceinline__ int target() const { return edge & 0xffff; }

    __device__ __forceinline__ void keep_better(const Candidate& other) {
        if (other.score > score || (other.score == score && other.edge < edge)) *this = other;
    }
};

/// The best of the lanes that differ in the bits Top … 1.
template <int Top>
__device__ __forceinline__ Candidate best_over_lanes(Candidate mine) {
#pragma unroll
    for (int bit = Top; bit >= 1; bit /= 2) {
        Candidate other;
        other.score = __shfl_xor_sync(all_lanes, mine.score, bit);
        other.edge = __shfl_xor_sync(all_lanes, mine.edge, bit);
        other.logit = __shfl_xor_sync(all_lanes, mine.logit, bit);
        mine.keep_better(other);
    }
    return mine;
}

template <int D, int H, int Warps, bool Limited>
class RolloutKernel {
public:
    static constexpr int head_size = D / H;
    static constexpr int groups = 32 / H;

    using Memory = WarpGroup<D, H, Warps, Limited>;

    __device__ RolloutKernel(const Rollout& call, const Memory& group, const float* weights, int trajectory,
                             int warp_group_number, int warp)
        : call_(call),
          group_(group),
          weights_{weights},
          n_(call.sizes.n),
          b_(trajectory),
          warp_group_number_(warp_group_number),
          lane_(static_cast<int>(threadIdx.x) % 32),
          warp_(warp),
          tree_(call, group, trajectory, lane_),
          record_(call, trajectory, lane_) {
        const long long graph = trajectory / call.sizes.per_graph;
        const long long table = graph * n_ * n_ * D;
        edges_ = call.edges + table;
        keys_ = call.keys + table;
        values_ = call.values + table;
        action_keys_ = call.action_keys + table;
        graph_ = call.graph + graph * D;
        seed_ = static_cast<unsigned long long>(*call.seed);
    }

    __device__ void run() {
        tree_.begin(warp_, keeps_tree(), warp_group_number_);
        warp_group_barrier<Warps>(warp_group_number_);
        int last_source = tree_.start();
        int last_target = tree_.start();
        float log_probability = 0;
        int step = 0;
        PhaseClock clock;
        for (;; ++step) {
            // Where nobody else keeps the tree, the leader knows that it is grown; otherwise it may work in vain,
            // once.
            const bool goes_on = step < n_ - 1 && (Warps > 1 || group_.control[2] == 0);
            if (leads() && goes_on) attend_to_past(step, last_source * n_ + last_target);
            clock.lap(Phase::past);
            warp_group_barrier<Warps>(warp_group_number_);
            clock.lap(Phase::past_wait);
            if (group_.control[2] != 0) break;
            const OpenEdges open{group_.rows, group_.outside, group_.control[0], group_.control[1]};
            attend_to_edges(open);
            clock.lap(Phase::edges);
            warp_group_barrier<Warps>(warp_group_number_);
            clock.lap(Phase::edges_wait);
            if (leads()) make_action_query(step);
            clock.lap(Phase::query);
            warp_group_barrier<Warps>(warp_group_number_);
            clock.lap(Phase::query_wait);
            score(open, step);
            clock.lap(Phase::score);
            warp_group_barrier<Warps>(warp_group_number_);
            clock.lap(Phase::score_wait);
            if (!leads() && !keeps_tree()) continue;
            const Candidate chosen = best_of_warps();
            if (chosen.edge != never) {
                last_source = chosen.source();
                last_target = chosen.target();
            }
            if (keeps_tree()) {
                if (chosen.edge == never) {  // a dead end
                    if (lane_ == 0) group_.control[2] = 1;
                    --step;
                } else {
                    log_probability += log_probability_of(chosen, step);
                    tree_.add(last_source, last_target, step);
                }
                __syncwarp();
            }
            clock.lap(Phase::choice);
        }
        if (leads() && b_ == 0 && lane_ == 0) clock.print(step);
        if (keeps_tree()) finish(step, log_probability);
    }

private:
    /// The first warp makes queries, the last one keeps the tree: what a step has chosen is written down while the
    /// next step begins.
    [[nodiscard]] __device__ __forceinline__ bool leads() const { return warp_ == 0; }
    [[nodiscard]] __device__ __forceinline__ bool keeps_tree() const { return warp_ == Warps - 1; }

    /// Decoder input, causal self-attention and the query of edge attention, by the first warp.
    __device__ void attend_to_past(int step, int last_edge) {
        Spread<D> input;
#pragma unroll
        for (int k = 0; k < Spread<D>::count; ++k) {
            const int i = Spread<D>::index(lane_, k);
            const float* pair = i < D / 2 ? graph_ + 2 * i : edges_ + last_edge * D + (2 * i - D);
            input.x[k] = fmaxf(pair[0], pair[1]);
        }
        input.put(group_.x, lane_);
        __syncwarp();
        const Spread<D> own_query = apply_linear<D>(weights_.linear(LinearPlace::self_query), group_.x, lane_);
        const Spread<D> own_key = apply_linear<D>(weights_.linear(LinearPlace::self_key), group_.x, lane_);
        const Spread<D> own_value = apply_linear<D>(weights_.linear(LinearPlace::self_value), group_.x, lane_);
        float* mine = group_.memory + step * 2 * D;
        own_query.put(group_.query, lane_);
        own_key.put(mine, lane_);
        own_value.put(mine + D, lane_);
        __syncwarp();
        record_.begin(step);
        record_.put(input);
        record_.put_qkv(step, own_query, own_key, own_value, attention_unscaled());

        const int head = lane_ % H;
        float query[head_size];
        load(group_.query + head * head_size, query);
        RunningSoftmax<head_size> softmax;
        constexpr int batch = head_size <= 4 ? 4 : 2;
        for (int t = lane_ / H; t <= step; t += batch * groups) {
            float scores[batch];
            float values[batch][head_size];
#pragma unroll
            for (int k = 0; k < batch; ++k) {
                const int past = t + k * groups;
                const float* from = group_.memory + min(past, step) * 2 * D + head * head_size;
                float key[head_size];
                load(from, key);
                load(from + D, values[k]);
                scores[k] = past <= step ? dot(query, key) : -INFINITY;
            }
            softmax.add(scores, values);
        }
        __syncwarp();
        put_context(softmax);
        x_ = apply_linear<D>(weights_.linear(LinearPlace::self_output), group_.x, lane_);
        record_.put_context(0, step, group_.x, softmax);
        add(x_, input);
        record_.put(x_);
        x_ = apply_norm<D>(weights_.norm(NormPlace::self), x_, lane_);
        put_x(x_);
        record_.put(x_);
        const Spread<D> edge_query = apply_linear<D>(weights_.linear(LinearPlace::edge_query), group_.x, lane_);
        edge_query.put(group_.query, lane_);
        record_.put(edge_query, attention_unscaled());
    }

    __device__ void attend_to_edges(const OpenEdges& open) {
        const int head = lane_ % H;
        float query[head_size];
        load(group_.query + head * head_size, query);
        RunningSoftmax<head_size> softmax;
        if constexpr (Limited) {
            attend_to_pairs<D, H>(
                softmax, query, keys_, values_, n_, open, warp_ * groups + lane_ / H, Warps * groups, head,
                [&](int u, int v) { return tree_.is_open(u, v); },
                [&](int u) { return group_.terms[u * (H + 1) + head]; });
        } else {
            attend<D, H>(softmax, query, keys_, values_, n_, open, warp_ * groups + lane_ / H, Warps * groups, head);
        }
        softmax.template join<H, 16>();
        if (lane_ < H) {
            float* part = group_.parts + (warp_ * H + head) * Memory::part_floats;
            part[0] = softmax.top;
            part[1] = softmax.sum;
#pragma unroll
            for (int c = 0; c < head_size; ++c) part[2 + c] = softmax.total[c];
        }
    }

    /// The rest of the decoder layer and the query of the action, by the first warp.
    __device__ void make_action_query(int step) {
        const int head = lane_ % H;
        RunningSoftmax<head_size> softmax;
        for (int w = lane_ / H; w < Warps; w += groups) {
            const float* part = group_.parts + (w * H + head) * Memory::part_floats;
            const float higher = fmaxf(softmax.top, part[0]);
            softmax.scale(higher);
            const float factor = exp2_fast(part[0] - higher);
            softmax.sum = fmaf(factor, part[1], softmax.sum);
#pragma unroll
            for (int c = 0; c < head_size; ++c) softmax.total[c] = fmaf(factor, part[2 + c], softmax.total[c]);
        }
        put_context(softmax);
        Spread<D> y = apply_linear<D>(weights_.linear(LinearPlace::edge_output), group_.x, lane_);
        record_.put_context(1, step, group_.x, softmax);
        add(x_, y);
        record_.put(x_);
        x_ = apply_norm<D>(weights_.norm(NormPlace::edge), x_, lane_);
        put_x(x_);
        record_.put(x_);
        y = apply_linear<D>(weights_.linear(LinearPlace::expand), group_.x, lane_);
#pragma unroll
        for (int k = 0; k < Spread<D>::count; ++k) y.x[k] = fmaxf(y.x[k], 0.0f);
        put_x(y);
        record_.put(y);
        y = apply_linear<D>(weights_.linear(LinearPlace::contract), group_.x, lane_);
        add(x_, y);
        record_.put(x_);
        x_ = apply_norm<D>(weights_.norm(NormPlace::output), x_, lane_);
        put_x(x_);
        record_.put(x_);
        y = apply_linear<D>(weights_.linear(LinearPlace::action_query), group_.x, lane_);
        y.put(group_.query, lane_);
        record_.put(y, sqrtf(static_cast<float>(D)));
    }

    /// Scores of the open edges, and each warp's best one after noise.
    __device__ void score(const OpenEdges& open, int step) {
        constexpr int part = 16;
        constexpr int split = D / part;
        const int piece = lane_ % split;
        float query[part];
        load(group_.query + piece * part, query);
        const auto number = static_cast<unsigned long long>(call_.first + b_);
        // Nothing is better than not-a-number: a policy gone astray still grows trees, and the trainer can say so.
        Candidate best{-INFINITY, Candidate::joined(open.rows[0], open.columns[0]), 0};
        float sum = 0;
        int count = 0;
        constexpr int stride = Warps * 32 / split;
        EdgeWalk walk(open, warp_ * (32 / split) + lane_ / split, stride);
        const int rounds = (open.size() + stride - 1) / stride;
        for (int round = 0; round < rounds; ++round, walk.advance()) {
            const int source = walk.source();
            const int target = walk.target();
            const int edge = source * n_ + target;
            float key[part];
            load(action_keys_ + edge * D + piece * part, key);
            float score = dot(query, key);
            if constexpr (split > 1) score = sum_over<1, split / 2>(score);
            if (!walk.valid()) continue;
            if constexpr (Limited) {
                if (!tree_.is_open(source, target)) continue;
                score += group_.terms[source * (H + 1) + H];
                ++count;
            }
            float logit = score;
            if (!call_.greedy || call_.log_probabilities != nullptr) logit = call_.clip * tanh_fast(score);
            if (call_.log_probabilities != nullptr) sum += exp2_fast(log2_e * (logit - call_.clip));
            if (call_.greedy) {
                best.keep_better({score, Candidate::joined(source, target), logit});
            } else {
                const std::uint32_t bits =
                    philox(static_cast<std::uint32_t>(edge), static_cast<std::uint32_t>(step),
                           static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                           static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32));
                best.keep_better({logit + gumbel(bits), Candidate::joined(source, target), logit});
            }
        }
        best = best_over_lanes<16>(best);
        if constexpr (Warps > 1) {
            // The leader reads the features of the chosen edge next, and nothing else hides that.
            constexpr int sector = 8;
            if (lane_ < D / sector) touch(edges_ + (best.source() * n_ + best.target()) * D + sector * lane_);
        }
        if constexpr (split > 1) {
            if (piece != 0) sum = 0;
        }
        if (call_.log_probabilities != nullptr) sum = sum_over<1, 16>(sum);
        if (lane_ == 0) {
            group_.best[warp_] = best.score;
            group_.best_edge[warp_] = best.edge;
            group_.logits[warp_] = best.logit;
            group_.sums[warp_] = sum;
        }
        if constexpr (Limited) {
            const bool any = __any_sync(all_lanes, count > 0);
            if (lane_ == 0) group_.counts[warp_] = any ? 1 : 0;
        }
    }

    /// The best edge of all warps, for every lane of a warp; `never` at a dead end.
    [[nodiscard]] __device__ Candidate best_of_warps() const {
        const int w = lane_ % Warps;
        Candidate best{group_.best[w], group_.best_edge[w], group_.logits[w]};
        best = best_over_lanes<Warps / 2>(best);
        if constexpr (Limited) {
            if (!__any_sync(all_lanes, group_.counts[w] > 0)) best.edge = never;
        }
        return best;
    }

    [[nodiscard]] __device__ float log_probability_of(const Candidate& chosen, int step) const {
        if (call_.log_probabilities == nullptr) return 0;
        const float lse = call_.clip + logf(sum_over<1, Warps / 2>(group_.sums[lane_ % Warps]));
        record_.put_action(step, lse);
        return chosen.logit - lse;
    }

    /// Takes back what the weights of attention's queries carry of the scores' scale.
    [[nodiscard]] __device__ __forceinline__ static float attention_unscaled() {
        return sqrtf(static_cast<float>(head_size)) * ln_2;
    }

    /// Writes the tree and its cost. Vertices entered in order, so going backwards meets children before parents.
    __device__ void finish(int steps, float log_probability) {
        record_.put_nothing(steps, n_ - 1);
        const int longest = n_ - 1;
        const long long row = static_cast<long long>(b_) * longest;
        for (int t = lane_; t < longest; t += 32) {
            call_.sources[row + t] = t < steps ? group_.sources[t] : 0;
            call_.targets[row + t] = t < steps ? group_.targets[t] : 0;
        }
        // The tree is grown, so its bookkeeping gives room: weights of the edges, size of the branch at each vertex.
        float* weights = group_.memory;
        short* branch = group_.degree;
        const EdgeWeights weight(call_.points, call_.edge_weights, b_ / call_.sizes.per_graph, n_);
        for (int t = lane_; t < steps; t += 32) weights[t] = weight(group_.sources[t], group_.targets[t]);
        for (int v = lane_; v < n_; v += 32) {
            branch[v] = tree_.is_wanted(v) ? 1 : 0;
        }
        __syncwarp();
        if (lane_ != 0) return;
        double cost = 0;
        for (int t = steps - 1; t >= 0; --t) {
            const int below = branch[group_.targets[t]];
            branch[group_.sources[t]] = static_cast<short>(branch[group_.sources[t]] + below);
            double paths = below > 0 ? 1.0 : static_cast<double>(call_.pruned_edge_penalty);
            if (call_.routing_cost) paths = static_cast<double>(below) * static_cast<double>(steps + 1 - below);
            cost += paths * static_cast<double>(weights[t]);
        }
        call_.costs[b_] = static_cast<float>(cost);
        call_.lengths[b_] = steps;
        call_.missing[b_] = Limited ? tree_.missing() : 0;
        if (call_.log_probabilities != nullptr) call_.log_probabilities[b_] = log_probability;
    }

    __device__ void put_x(const Spread<D>& x) {
        __syncwarp();
        x.put(group_.x, lane_);
        __syncwarp();
    }

    /// Joins the parts of the lanes and writes the attention's result to `x`, ready for the output projection.
    __device__ void put_context(RunningSoftmax<head_size>& softmax) {
        softmax.template join<H, 16>();
        __syncwarp();
        if (lane_ < H) {
            const float scale = __fdividef(1.0f, softmax.sum);
#pragma unroll
            for (int c = 0; c < head_size; ++c) group_.x[lane_ * head_size + c] = softmax.total[c] * scale;
        }
        __syncwarp();
    }

    __device__ static void add(Spread<D>& x, const Spread<D>& y) {
#pragma unroll
        for (int k = 0; k < Spread<D>::count; ++k) x.x[k] += y.x[k];
    }

    const Rollout& call_;
    const Memory& group_;
    PackedWeights<D> weights_;
    int n_;
    int b_;
    int warp_group_number_;
    int lane_;
    int warp_;
    GrowingTree<D, H, Warps, Limited> tree_;
    StepRecorder<D, H> record_;
    const float* __restrict__ edges_;
    const float* __restrict__ keys_;
    const float* __restrict__ values_;
    const float* __restrict__ action_keys_;
    const float* __restrict__ graph_;
    unsigned long long seed_;
    Spread<D> x_;
};

}  // namespace neuroprim::train::cuda
