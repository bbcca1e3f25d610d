#pragma once

#include "train/cuda/dense.cuh"
#include "train/cuda/kernels.hpp"

/// What a rollout writes down of its steps for the backward pass.
namespace neuroprim::train::cuda {

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

/// The rows of one trajectory, written by one warp. Where the call wants none, nothing is written.
template <int D, int H>
class StepRecorder {
public:
    static constexpr int head_size = D / H;

    __device__ StepRecorder(const Rollout& call, int trajectory, int lane)
        : record_(call.record), first_(trajectory * (call.sizes.n - 1)), lane_(lane) {}

    [[nodiscard]] __device__ __forceinline__ bool is_wanted() const { return record_.rows != nullptr; }

    /// The rows of a step follow in the order of StepRow, the steps in any order.
    __device__ __forceinline__ void begin(int step) {
        if (is_wanted())
            next_ = record_.rows + static_cast<long long>(first_ + step) * D + Spread<D>::index(lane_, 0);
    }

    __device__ __forceinline__ void put(const Spread<D>& x, float factor = 1) {
        if (!is_wanted()) return;
#pragma unroll
        for (int k = 0; k < Spread<D>::count; ++k) {
            if (D >= 32 || lane_ < D) next_[32 * k] = factor * x.x[k];
        }
        next_ += record_.stride;
    }

    /// `scale` takes back what the query carries of the scores' scale.
    __device__ __forceinline__ void put_qkv(int step, const Spread<D>& query, const Spread<D>& key,
                                            const Spread<D>& value, float scale) const {
        if (!is_wanted()) return;
        float* to = record_.qkv + static_cast<long long>(first_ + step) * (3 * D);
        query.times(scale).put(to, lane_);
        key.put(to + D, lane_);
        value.put(to + 2 * D, lane_);
    }

    /// The context that stands in `x`, and its softmax's sum: `number` 0 of the past, 1 of edges.
    __device__ __forceinline__ void put_context(int number, int step, const float* x,
                                                const RunningSoftmax<head_size>& softmax) {
        if (!is_wanted()) return;
        put(Spread<D>::of(x, lane_));
        float* lse = record_.lse + static_cast<long long>(first_ + step) * H + number * (record_.stride / D * H);
        if (lane_ < H) lse[lane_] = softmax.top + log2f(softmax.sum);
    }

    __device__ __forceinline__ void put_action(int step, float lse) const {
        if (is_wanted() && lane_ == 0) record_.action_lse[first_ + step] = lse;
    }

    /// The steps from `begin` to `end`, which were not taken.
    __device__ void put_nothing(int begin, int end) const {
        if (is_wanted() && begin < end) {
            record_nothing<D, H>(record_, record_.stride / D, first_ + begin, first_ + end, lane_);
        }
    }

private:
    const StepRecord& record_;
    int first_;  // number of the first step among those of all trajectories
    int lane_;
    float* next_ = nullptr;  // the lane's number of the row that is next
};

}  // namespace neuroprim::train::cuda
