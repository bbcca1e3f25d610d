#pragma once

#include "train/cuda/kernels.hpp"
#include "train/cuda/limits.cuh"
#include "train/cuda/rollout_memory.cuh"

/// The bookkeeping of a tree that grows: who is in it, which rows are open, and what they have left.
namespace neuroprim::train::cuda {

/// The lists lie in shared memory, where all warps of the group read them; one warp keeps them.
template <int D, int H, int Warps, bool Limited>
class GrowingTree {
public:
    static constexpr int changed_mark = 1 << 14;  // above every eccentricity

    using Memory = WarpGroup<D, H, Warps, Limited>;

    __device__ GrowingTree(const Rollout& call, const Memory& group, int trajectory, int lane)
        : call_(call),
          group_(group),
          n_(call.sizes.n),
          b_(trajectory),
          lane_(lane),
          limits_(call.limits, Limited ? trajectory / call.sizes.per_graph : 0, call.sizes.n),
          start_(static_cast<int>(call.starts[trajectory])) {
        if (call.terminals_only)
            terminals_ = call.terminals + static_cast<long long>(trajectory / call.sizes.per_graph) * n_;
    }

    [[nodiscard]] __device__ int start() const { return start_; }
    [[nodiscard]] __device__ bool is_wanted(int v) const { return !call_.terminals_only || terminals_[v] != 0; }

    /// Wanted vertices, or groups, that the tree lacks; by the warp that keeps it.
    [[nodiscard]] __device__ int missing() const { return required_outside_; }

    /// By all warps of the group, before a barrier; `keeps`: by the one that adds edges.
    __device__ void begin(int warp, bool keeps, int warp_group_number) {
        const int thread = warp * 32 + lane_;
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
        if constexpr (Limited) warp_group_barrier<Warps>(warp_group_number);
        if (keeps) {
            int required = 0;
            for (int v = lane_; v < n_; v += 32) {
                if (v != start_ && is_wanted(v)) ++required;
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
            }
            if constexpr (Limited) {
                __syncwarp();
                if (call_.limits.distances != nullptr && lane_ == 0) apart()[start_ * n_ + start_] = 0;
                remove_group(start_);
                update_terms(start_);
            }
        }
    }

    /// Adds the edge (u, v) as number `step`; by one warp.
    __device__ void add(int u, int v, int step) {
        if (lane_ == 0) join(u, v, step);
        __syncwarp();
        if constexpr (Limited) follow_limits(u, v, step);
    }

    /// Where limited: may v join at u, both in their lists?
    [[nodiscard]] __device__ __forceinline__ bool is_open(int u, int v) const {
        if (limits_.capacity > 0 && limits_.demands[v] > left_of(limits_.capacity, group_.load[group_.branch[u]])) {
            return false;
        }
        return !limits_.limits_lengths() || limits_.weight(u, v) <= left_of(limits_.length_limit, group_.length[u]);
    }

private:
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
            if (is_wanted(v)) --required_outside_;
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
        if (is_wanted(v)) --required_outside_;
        group_.control[0] = rows;
        group_.control[1] = outside;
        group_.control[2] = required_outside_ == 0 || rows == 0 || outside == 0;
    }

    __device__ bool has_residual_capacity(int v) const {
        if constexpr (Limited) return use_of(v).has_residual_capacity(limits_);
        return (call_.degree_limit == 0 || group_.degree[v] < call_.degree_limit) &&
               (call_.hop_limit == 0 || group_.depth[v] < call_.hop_limit);
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

    /// The terms of one tree vertex: a lane per inner number of the network.
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

    /// What else the new edge (u, v) changes: distances in the tree, the group, which rows are
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

    const Rollout& call_;
    const Memory& group_;
    int n_;
    int b_;
    int lane_;
    GraphLimits limits_;
    int start_;
    int required_outside_ = 0;
    const std::uint8_t* __restrict__ terminals_ = nullptr;
};

}  // namespace neuroprim::train::cuda
