#pragma once

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/limits.cuh"
#include "train/cuda/philox.cuh"
#include "train/cuda/rollout_weights.cuh"

/// One tree that a group of warps grows, step by step, from its start to its cost.
namespace neuroprim::train::cuda {

inline constexpr std::int32_t never = 1 << 30;

__host__ __device__ constexpr int padded(int count) {
    return (count + 3) / 4 * 4;
}

/// What one trajectory keeps in shared memory while a group of warps grows it. `Limited`: under limits beyond the
/// outer product, or by a policy with terms of rows.
template <int D, int H, int Warps, bool Limited>
struct WarpGroup {
    static constexpr int part_floats = 2 + D / H;

    float* memory;        // (T, 2, D) keys and values of self-attention
    float* x;             // (D) input of a small product
    float* query;         // (D) what all warps read
    float* parts;         // (Warps, H, 2 + D/H) softmax parts
    float* best;          // (Warps) highest scores
    float* logits;        // (Warps) of those edges, without noise
    float* sums;          // (Warps) sums of exponentials
    int* best_edge;       // (Warps)
    int* control;         // (4) open rows, outside vertices, finished, steps of all trajectories
    int* counts;          // (Warps) open edges that were seen, where limited
    float* terms;         // (n, H + 1) of tree vertices, in units of log2 but for the action's; where limited
    float* length;        // (n) from the start, likewise
    float* load;          // (n) of the branch that begins here
    short* rows;          // (n) open rows, compact
    short* outside;       // (n) outside vertices, compact
    short* place;         // (n) where a vertex stands in `rows` or `outside`
    short* degree;        // (n)
    short* depth;         // (n)
    short* sources;       // (n)
    short* targets;       // (n)
    short* branch;        // (n) where limited, as the next
    short* eccentricity;  // (n)

    static constexpr int shorts = Limited ? 9 : 7;

    __host__ __device__ static int floats(int n) {
        return padded((n - 1) * 2 * D) + 2 * D + padded(Warps * H * part_floats) + 4 * padded(Warps) + 4 +
               padded((shorts * n + 1) / 2) + (Limited ? padded(Warps) + padded(n * (H + 1)) + 2 * padded(n) : 0);
    }

    __device__ WarpGroup(float* from, int n) {
        const auto take = [&](int count) {
            float* result = from;
            from += count;
            return result;
        };
        memory = take(padded((n - 1) * 2 * D));
        x = take(D);
        query = take(D);
        parts = take(padded(Warps * H * part_floats));
        best = take(padded(Warps));
        logits = take(padded(Warps));
        sums = take(padded(Warps));
        best_edge = reinterpret_cast<int*>(take(padded(Warps)));
        control = reinterpret_cast<int*>(take(4));
        if constexpr (Limited) {
            counts = reinterpret_cast<int*>(take(padded(Warps)));
            terms = take(padded(n * (H + 1)));
            length = take(padded(n));
            load = take(padded(n));
        }
        short* next = reinterpret_cast<short*>(from);
        rows = next;
        outside = next + n;
        place = next + 2 * n;
        degree = next + 3 * n;
        depth = next + 4 * n;
        sources = next + 5 * n;
        targets = next + 6 * n;
        if constexpr (Limited) {
            branch = next + 7 * n;
            eccentricity = next + 8 * n;
        }
    }
};

/// Waits for the warps of one group; groups of a block never wait for each other.
template <int Warps>
__device__ __forceinline__ void warp_group_barrier(int group) {
    if constexpr (Warps == 1) {
        __syncwarp();
    } else {
        asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(Warps * 32) : "memory");
    }
}

/// Zeros for the steps from row `begin` to `end`, which were not taken. Inlined it would cost registers for addresses
/// of which the steps before have no use.
template <int D, int H>
__device__ __noinline__ void record_nothing(const StepRecord& record, long long all_rows, long long begin,
                                            long long end, int lane) {
    const auto clear = [&](float* table, long long width) {
        for (long long k = begin * width + lane; k < end * width; k += 32) table[k] = 0;
    };
    for (int row = 0; row < StepRecord::row_count; ++row) clear(record.rows + row * all_rows * D, D);
    clear(record.qkv, 3 * D);
    clear(record.lse, H);
    clear(record.lse + all_rows * H, H);
    clear(record.action_lse, 1);
}

struct Candidate {
    float score;
    int edge;
    float logit;  // without noise

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
    static constexpr int changed_mark = 1 << 14;  // above every eccentricity

    using Memory = WarpGroup<D, H, Warps, Limited>;

    __device__ RolloutKernel(const Rollout& call, const Memory& group, const float* weights, int trajectory,
                             int warp_group_number)
        : call_(call),
          group_(group),
          weights_{weights},
          n_(call.sizes.n),
          b_(trajectory),
          warp_group_number_(warp_group_number),
          lane_(static_cast<int>(threadIdx.x) % 32),
          warp_(static_cast<int>(threadIdx.x) / 32 % Warps),
          limits_(call.limits, Limited ? trajectory / call.sizes.per_graph : 0, call.sizes.n) {
        const long long graph = trajectory / call.sizes.per_graph;
        const long long table = graph * n_ * n_ * D;
        edges_ = call.edges + table;
        keys_ = call.keys + table;
        values_ = call.values + table;
        action_keys_ = call.action_keys + table;
        graph_ = call.graph + graph * D;
        if (call.terminals_only) terminals_ = call.terminals + graph * n_;
        seed_ = static_cast<unsigned long long>(*call.seed);
    }

    __device__ void run() {
        begin();
        int last_source = start_;
        int last_target = start_;
        float log_probability = 0;
        int step = 0;
        for (;; ++step) {
            if (warp_ == 0 && group_.control[2] == 0) attend_to_past(step, last_source * n_ + last_target);
            warp_group_barrier<Warps>(warp_group_number_);
            if (group_.control[2] != 0) break;
            const OpenEdges open{group_.rows, group_.outside, group_.control[0], group_.control[1]};
            attend_to_edges(open);
            warp_group_barrier<Warps>(warp_group_number_);
            if (warp_ == 0) make_action_query(step);
            warp_group_barrier<Warps>(warp_group_number_);
            score(open, step);
            warp_group_barrier<Warps>(warp_group_number_);
            if (warp_ == 0) {
                const int edge = choose(log_probability, step);
                if (Limited && edge == never) {  // a dead end
                    if (lane_ == 0) group_.control[2] = 1;
                    --step;
                } else {
                    last_source = edge / n_;
                    last_target = edge % n_;
                    if (lane_ == 0) join(last_source, last_target, step);
                    __syncwarp();
                    if constexpr (Limited) follow_limits(last_source, last_target, step);
                }
                __syncwarp();
            }
        }
        if (warp_ == 0) finish(step, log_probability);
    }

private:
    __device__ void begin() {
        start_ = static_cast<int>(call_.starts[b_]);
        const int thread = warp_ * 32 + lane_;
        for (int v = thread; v < n_; v += Warps * 32) {
            call_.enter[static_cast<long long>(b_) * n_ + v] = v == start_ ? 0 : never;
            call_.close[static_cast<long long>(b_) * n_ + v] = never;
            const int of_start = Limited ? call_.limits.start_degree : call_.start_degree;
            group_.degree[v] = static_cast<short>(v == start_ ? of_start : 0);
            group_.depth[v] = 0;
            if constexpr (Limited) {
                group_.length[v] = 0;
                group_.load[v] = 0;
                group_.eccentricity[v] = 0;
                group_.branch[v] = static_cast<short>(v == start_ ? start_ : -1);
            }
            if (v != start_) {
                const int place = v < start_ ? v : v - 1;
                group_.outside[place] = static_cast<short>(v);
                group_.place[v] = static_cast<short>(place);
            }
        }
        if constexpr (Limited) warp_group_barrier<Warps>(warp_group_number_);
        if (warp_ == 0) {
            int required = 0;
            for (int v = lane_; v < n_; v += 32) {
                if (v != start_ && (!call_.terminals_only || terminals_[v] != 0)) ++required;
            }
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2) required += __shfl_xor_sync(all_lanes, required, bit);
            if constexpr (Limited) {
                if (limits_.groups != nullptr) required = call_.limits.group_counts[b_ / call_.sizes.per_graph] - 1;
            }
            required_outside_ = required;
            if (lane_ == 0) {
                group_.rows[0] = static_cast<short>(start_);
                group_.place[start_] = 0;
                group_.control[0] = 1;
                group_.control[1] = n_ - 1;
                group_.control[2] = required == 0;
                group_.control[3] = call_.sizes.graphs * call_.sizes.per_graph * (n_ - 1);
            }
            if constexpr (Limited) {
                __syncwarp();
                if (call_.limits.distances != nullptr && lane_ == 0) apart()[start_ * n_ + start_] = 0;
                remove_group(start_);
                update_terms(start_);
            }
        }
        warp_group_barrier<Warps>(warp_group_number_);
    }

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
        record(StepRow::input, step, input);
        record_qkv(step, own_query, own_key, own_value);

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
        record_context(StepRow::past_context, 0, step, softmax);
        x_ = apply_linear<D>(weights_.linear(LinearPlace::self_output), group_.x, lane_);
        add(x_, input);
        record(StepRow::self_sum, step, x_);
        x_ = apply_norm<D>(weights_.norm(NormPlace::self), x_, lane_);
        put_x(x_);
        record(StepRow::states, step, x_);
        const Spread<D> edge_query = apply_linear<D>(weights_.linear(LinearPlace::edge_query), group_.x, lane_);
        edge_query.put(group_.query, lane_);
        record(StepRow::edge_query, step, edge_query, attention_unscaled());
    }

    __device__ void attend_to_edges(const OpenEdges& open) {
        const int head = lane_ % H;
        float query[head_size];
        load(group_.query + head * head_size, query);
        RunningSoftmax<head_size> softmax;
        if constexpr (Limited) {
            attend_to_pairs<D, H>(
                softmax, query, keys_, values_, n_, open, warp_ * groups + lane_ / H, Warps * groups, head,
                [&](int u, int v) { return is_open(u, v); }, [&](int u) { return group_.terms[u * (H + 1) + head]; });
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
        record_context(StepRow::edge_context, 1, step, softmax);
        Spread<D> y = apply_linear<D>(weights_.linear(LinearPlace::edge_output), group_.x, lane_);
        add(x_, y);
        record(StepRow::edge_sum, step, x_);
        x_ = apply_norm<D>(weights_.norm(NormPlace::edge), x_, lane_);
        put_x(x_);
        record(StepRow::seen, step, x_);
        y = apply_linear<D>(weights_.linear(LinearPlace::expand), group_.x, lane_);
#pragma unroll
        for (int k = 0; k < Spread<D>::count; ++k) y.x[k] = fmaxf(y.x[k], 0.0f);
        put_x(y);
        record(StepRow::inner, step, y);
        y = apply_linear<D>(weights_.linear(LinearPlace::contract), group_.x, lane_);
        add(x_, y);
        record(StepRow::output_sum, step, x_);
        x_ = apply_norm<D>(weights_.norm(NormPlace::output), x_, lane_);
        put_x(x_);
        record(StepRow::output, step, x_);
        y = apply_linear<D>(weights_.linear(LinearPlace::action_query), group_.x, lane_);
        y.put(group_.query, lane_);
        record(StepRow::action_query, step, y, sqrtf(static_cast<float>(D)));
    }

    /// Scores of the open edges, and each warp's best one after noise.
    __device__ void score(const OpenEdges& open, int step) {
        constexpr int part = 16;
        constexpr int split = D / part;
        const int piece = lane_ % split;
        float query[part];
        load(group_.query + piece * part, query);
        const auto number = static_cast<unsigned long long>(call_.first + b_);
        Candidate best{-INFINITY, never, 0};
        float sum = 0;
        int count = 0;
        constexpr int stride = Warps * 32 / split;
        EdgeWalk walk(open, warp_ * (32 / split) + lane_ / split, stride);
        const int rounds = (open.size() + stride - 1) / stride;
        for (int round = 0; round < rounds; ++round, walk.advance()) {
            const int edge = walk.place(n_);
            float key[part];
            load(action_keys_ + edge * D + piece * part, key);
            float score = dot(query, key);
            if constexpr (split > 1) score = sum_over<1, split / 2>(score);
            if (!walk.valid()) continue;
            if constexpr (Limited) {
                if (!is_open(walk.source(), walk.target())) continue;
                score += group_.terms[walk.source() * (H + 1) + H];
                ++count;
            }
            float logit = score;
            if (!call_.greedy || call_.log_probabilities != nullptr) logit = call_.clip * tanh_fast(score);
            if (call_.log_probabilities != nullptr) sum += exp2_fast(log2_e * (logit - call_.clip));
            if (call_.greedy) {
                best.keep_better({score, edge, logit});
            } else {
                const std::uint32_t bits =
                    philox(static_cast<std::uint32_t>(edge), static_cast<std::uint32_t>(step),
                           static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                           static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32));
                best.keep_better({logit + gumbel(bits), edge, logit});
            }
        }
        best = best_over_lanes<16>(best);
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

    /// The best edge of all warps; every lane of the first warp gets it.
    __device__ int choose(float& log_probability, int step) {
        const int w = lane_ % Warps;
        Candidate best{group_.best[w], group_.best_edge[w], group_.logits[w]};
        best = best_over_lanes<Warps / 2>(best);
        if constexpr (Limited) {
            if (!__any_sync(all_lanes, group_.counts[w] > 0)) return never;
        }
        // Nothing is better than not-a-number: a policy gone astray still grows trees, and the trainer can say so.
        if (best.edge == never) best.edge = group_.rows[0] * n_ + group_.outside[0];
        if (call_.log_probabilities != nullptr) {
            const float lse = call_.clip + logf(sum_over<1, Warps / 2>(group_.sums[w]));
            log_probability += best.logit - lse;
            if (records() && lane_ == 0) call_.record.action_lse[row_of(step)] = lse;
        }
        return best.edge;
    }

    __device__ bool has_residual_capacity(int v) const {
        if constexpr (Limited) return use_of(v).has_residual_capacity(limits_);
        return (call_.degree_limit == 0 || group_.degree[v] < call_.degree_limit) &&
               (call_.hop_limit == 0 || group_.depth[v] < call_.hop_limit);
    }

    __device__ void join(int u, int v, int step) {
        const long long row = static_cast<long long>(b_) * n_;
        group_.sources[step] = static_cast<short>(u);
        group_.targets[step] = static_cast<short>(v);
        call_.enter[row + v] = step + 1;
        int outside = group_.control[1];
        const short last = group_.outside[--outside];
        group_.outside[group_.place[v]] = last;
        group_.place[last] = group_.place[v];
        group_.depth[v] = static_cast<short>(group_.depth[u] + 1);
        ++group_.degree[u];
        ++group_.degree[v];
        if constexpr (Limited) {
            if (limits_.limits_lengths()) {
                group_.length[v] = __fadd_rn(group_.length[u], limits_.weight(u, v));
            }
            group_.branch[v] = u == start_ ? static_cast<short>(v) : group_.branch[u];
            float& load = group_.load[group_.branch[v]];
            if (limits_.capacity > 0) load = __fadd_rn(load, limits_.demands[v]);
            if (!call_.terminals_only || terminals_[v] != 0) --required_outside_;
            group_.control[1] = outside;
            return;  // rows close and open in follow_limits
        }
        int rows = group_.control[0];
        if (!has_residual_capacity(u)) {
            const short other = group_.rows[--rows];
            group_.rows[group_.place[u]] = other;
            group_.place[other] = group_.place[u];
            call_.close[row + u] = step + 1;
        }
        if (has_residual_capacity(v)) {
            group_.rows[rows] = static_cast<short>(v);
            group_.place[v] = static_cast<short>(rows++);
        } else {
            call_.close[row + v] = step + 1;
        }
        if (!call_.terminals_only || terminals_[v] != 0) --required_outside_;
        group_.control[0] = rows;
        group_.control[1] = outside;
        group_.control[2] = required_outside_ == 0 || rows == 0 || outside == 0;
    }

    [[nodiscard]] __device__ std::uint8_t* apart() const {
        return call_.limits.distances + static_cast<long long>(b_) * n_ * n_;
    }

    [[nodiscard]] __device__ RowUse use_of(int v) const {
        RowUse use;
        use.degree = group_.degree[v];
        use.depth = group_.depth[v];
        use.eccentricity = group_.eccentricity[v];
        use.length = group_.length[v];
        use.load = group_.load[group_.branch[v]];
        use.is_start = v == start_;
        return use;
    }

    [[nodiscard]] __device__ __forceinline__ bool is_open(int u, int v) const {
        if (limits_.capacity > 0 && limits_.demands[v] > left_of(limits_.capacity, group_.load[group_.branch[u]])) {
            return false;
        }
        return !limits_.limits_lengths() || limits_.weight(u, v) <= left_of(limits_.length_limit, group_.length[u]);
    }

    /// The terms of one tree vertex, by the first warp: a lane per inner number of the network.
    __device__ void update_terms(int u) {
        static_assert(row_width == 32);
        float* terms = group_.terms + u * (H + 1);
        const RowNetwork& rows = call_.rows;
        if (rows.expand_weight == nullptr) {
            if (lane_ <= H) terms[lane_] = 0;
            __syncwarp();
            return;
        }
        float facts[row_facts];
        use_of(u).write_facts(limits_, facts);
        float hidden = rows.expand_bias[lane_];
#pragma unroll
        for (int k = 0; k < row_facts; ++k) {
            hidden = fmaf(rows.expand_weight[lane_ * row_facts + k], facts[k], hidden);
        }
        hidden = fmaxf(hidden, 0.0f);
#pragma unroll
        for (int k = 0; k <= H; ++k) {
            const float sum = sum_over<1, 16>(rows.contract_weight[k * row_width + lane_] * hidden);
            if (lane_ == 0) terms[k] = (sum + rows.contract_bias[k]) * (k < H ? log2_e : 1.0f);
        }
        __syncwarp();
    }

    /// Takes the other vertices of v's group off the outside list.
    __device__ void remove_group(int v) {
        if (limits_.groups == nullptr) return;
        const std::int64_t group = limits_.groups[v];
        for (int begin = (group_.control[1] - 1) / 32 * 32; begin >= 0; begin -= 32) {
            const int k = begin + lane_;
            const bool leaves = k < group_.control[1] && limits_.groups[group_.outside[k]] == group;
            unsigned mask = __ballot_sync(all_lanes, leaves);
            if (lane_ == 0) {
                int outside = group_.control[1];
                for (; mask != 0; mask &= ~(0x80000000u >> __clz(static_cast<int>(mask)))) {
                    const int place = begin + 31 - __clz(static_cast<int>(mask));
                    const short last = group_.outside[--outside];
                    group_.outside[place] = last;
                    group_.place[last] = static_cast<short>(place);
                }
                group_.control[1] = outside;
            }
            __syncwarp();
        }
    }

    /// What else the new edge (u, v) changes, by the first warp: distances in the tree, the group, which rows are
    /// open and what they add to scores.
    __device__ void follow_limits(int u, int v, int step) {
        if (limits_.diameter > 0) {
            int farthest = 0;
            for (int w = lane_; w < n_; w += 32) {
                if (group_.branch[w] < 0 || w == v) continue;
                const int distance = apart()[u * n_ + w] + 1;
                apart()[v * n_ + w] = apart()[w * n_ + v] = static_cast<std::uint8_t>(min(distance, 255));
                if (distance > group_.eccentricity[w]) {
                    // Marked as changed till its terms are made again.
                    group_.eccentricity[w] = static_cast<short>(distance | changed_mark);
                }
                farthest = max(farthest, distance);
            }
#pragma unroll
            for (int bit = 16; bit >= 1; bit /= 2)
                farthest = max(farthest, __shfl_xor_sync(all_lanes, farthest, bit));
            if (lane_ == 0) {
                apart()[v * n_ + v] = 0;
                group_.eccentricity[v] = static_cast<short>(farthest);
            }
            __syncwarp();
        }
        remove_group(v);
        const long long row = static_cast<long long>(b_) * n_;
        const int branch = group_.branch[v];
        // From the last rows to the first, for what closes gives its place to the last one.
        for (int begin = (group_.control[0] - 1) / 32 * 32; begin >= 0 && group_.control[0] > 0; begin -= 32) {
            const int k = begin + lane_;
            bool changed = false;
            bool closes = false;
            int w = 0;
            if (k < group_.control[0]) {
                w = group_.rows[k];
                const int mark = group_.eccentricity[w] & changed_mark;
                group_.eccentricity[w] = static_cast<short>(group_.eccentricity[w] & ~changed_mark);
                changed = w == u || mark != 0 || (limits_.capacity > 0 && w != start_ && group_.branch[w] == branch);
                closes = changed && !has_residual_capacity(w);
            }
            __syncwarp();
            unsigned closing = __ballot_sync(all_lanes, closes);
            const unsigned renewed = __ballot_sync(all_lanes, changed && !closes);
            if (call_.rows.expand_weight != nullptr) {
                for (unsigned left = renewed; left != 0; left &= left - 1) {
                    update_terms(__shfl_sync(all_lanes, w, __ffs(static_cast<int>(left)) - 1));
                }
            }
            if (lane_ == 0) {
                int rows = group_.control[0];
                for (; closing != 0; closing &= ~(0x80000000u >> __clz(static_cast<int>(closing)))) {
                    const int place = begin + 31 - __clz(static_cast<int>(closing));
                    const short closed = group_.rows[place];
                    const short last = group_.rows[--rows];
                    group_.rows[place] = last;
                    group_.place[last] = static_cast<short>(place);
                    call_.close[row + closed] = step + 1;
                }
                group_.control[0] = rows;
            }
            __syncwarp();
        }
        if (has_residual_capacity(v)) {
            update_terms(v);
            if (lane_ == 0) {
                const int rows = group_.control[0]++;
                group_.rows[rows] = static_cast<short>(v);
                group_.place[v] = static_cast<short>(rows);
            }
        } else if (lane_ == 0) {
            call_.close[row + v] = step + 1;
        }
        __syncwarp();
        if (lane_ == 0)
            group_.control[2] = required_outside_ == 0 || group_.control[0] == 0 || group_.control[1] == 0;
    }

    /// Takes back what the weights of attention's queries carry of the scores' scale.
    [[nodiscard]] __device__ __forceinline__ static float attention_unscaled() {
        return sqrtf(static_cast<float>(head_size)) * ln_2;
    }

    [[nodiscard]] __device__ __forceinline__ bool records() const {
        return call_.record.rows != nullptr;
    }

    /// Number of a step among those of all trajectories.
    [[nodiscard]] __device__ __forceinline__ long long row_of(int step) const {
        return static_cast<long long>(b_) * (n_ - 1) + step;
    }

    /// Read anew for each row that is recorded: the compiler would keep the addresses of all in registers.
    [[nodiscard]] __device__ __forceinline__ long long all_rows() const {
        return group_.control[3];
    }

    [[nodiscard]] __device__ __forceinline__ float* recorded(StepRow row, int step) const {
        return call_.record.rows + (static_cast<int>(row) * all_rows() + row_of(step)) * D;
    }

    __device__ __forceinline__ void record(StepRow row, int step, const Spread<D>& x, float factor = 1) const {
        if (records()) x.times(factor).put(recorded(row, step), lane_);
    }

    __device__ __forceinline__ void record_qkv(int step, const Spread<D>& query, const Spread<D>& key,
                                               const Spread<D>& value) const {
        if (!records()) return;
        float* to = call_.record.qkv + row_of(step) * 3 * D;
        query.times(attention_unscaled()).put(to, lane_);
        key.put(to + D, lane_);
        value.put(to + 2 * D, lane_);
    }

    /// The context that stands in `x`, and its softmax's sum.
    __device__ __forceinline__ void record_context(StepRow row, int number, int step,
                                                   const RunningSoftmax<head_size>& softmax) const {
        if (!records()) return;
        Spread<D>::of(group_.x, lane_).put(recorded(row, step), lane_);
        float* lse = call_.record.lse + (number * all_rows() + row_of(step)) * H;
        if (lane_ < H) lse[lane_] = softmax.top + log2f(softmax.sum);
    }

    /// Writes the tree and its cost. Vertices entered in order, so going backwards meets children before parents.
    __device__ void finish(int steps, float log_probability) {
        if (records() && steps < n_ - 1)
            record_nothing<D, H>(call_.record, all_rows(), row_of(steps), row_of(n_ - 1), lane_);
        const int longest = n_ - 1;
        const long long row = row_of(0);
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
            branch[v] = call_.terminals_only ? (terminals_[v] != 0 ? 1 : 0) : 1;
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
        call_.missing[b_] = Limited ? required_outside_ : 0;
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
            const float scale = 1.0f / softmax.sum;
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
    GraphLimits limits_;
    int start_ = 0;
    int required_outside_ = 0;
    const float* __restrict__ edges_;
    const float* __restrict__ keys_;
    const float* __restrict__ values_;
    const float* __restrict__ action_keys_;
    const float* __restrict__ graph_;
    const std::uint8_t* __restrict__ terminals_ = nullptr;
    unsigned long long seed_;
    Spread<D> x_;
};

}  // namespace neuroprim::train::cuda
