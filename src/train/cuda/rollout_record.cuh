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

    /// `all_rows` stands in shared memory: the number of steps of all trajectories.
    __device__ StepRecorder(const Rollout& call, const int& all_rows, int trajectory, int lane)
        : record_(call.record),
          all_rows_(all_rows),
          first_(static_cast<long long>(trajectory) * (call.sizes.n - 1)),
          lane_(lane) {}

    [[nodiscard]] __device__ __forceinline__ bool is_wanted() const { return record_.rows != nullptr; }

    __device__ __forceinline__ void put(StepRow row, int step, const Spread<D>& x, float factor = 1) const {
        if (is_wanted()) x.times(factor).put(place(row, step), lane_);
    }

    /// `scale` takes back what the query carries of the scores' scale.
    __device__ __forceinline__ void put_qkv(int step, const Spread<D>& query, const Spread<D>& key,
                                            const Spread<D>& value, float scale) const {
        if (!is_wanted()) return;
        float* to = record_.qkv + row_of(step) * 3 * D;
        query.times(scale).put(to, lane_);
        key.put(to + D, lane_);
        value.put(to + 2 * D, lane_);
    }

    /// The context that stands in `x`, and its softmax's sum: `number` 0 of the past, 1 of edges.
    __device__ __forceinline__ void put_context(StepRow row, int number, int step, const float* x,
                                                const RunningSoftmax<head_size>& softmax) const {
        if (!is_wanted()) return;
        Spread<D>::of(x, lane_).put(place(row, step), lane_);
        float* lse = record_.lse + (number * all_rows() + row_of(step)) * H;
        if (lane_ < H) lse[lane_] = softmax.top + log2f(softmax.sum);
    }

    __device__ __forceinline__ void put_action(int step, float lse) const {
        if (is_wanted() && lane_ == 0) record_.action_lse[row_of(step)] = lse;
    }

    /// The steps from `begin` to `end`, which were not taken.
    __device__ void put_nothing(int begin, int end) const {
        if (is_wanted() && begin < end) {
            record_nothing<D, H>(record_, all_rows(), row_of(begin), row_of(end), lane_);
        }
    }

private:
    /// Number of a step among those of all trajectories.
    [[nodiscard]] __device__ __forceinline__ long long row_of(int step) const { return first_ + step; }

    /// Read anew for each row that is recorded: the compiler would keep the addresses of all in registers.
    [[nodiscard]] __device__ __forceinline__ long long all_rows() const { return all_rows_; }

    [[nodiscard]] __device__ __forceinline__ float* place(StepRow row, int step) const {
        return record_.rows + (static_cast<int>(row) * all_rows() + row_of(step)) * D;
    }

    const StepRecord& record_;
    const int& all_rows_;
    long long first_;
    int lane_;
};

}  // namespace neuroprim::train::cuda
