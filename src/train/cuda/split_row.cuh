#pragma once

#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

/// Rows of D numbers that D / 8 lanes share, so that a warp reads a few whole rows at once. A lane holds two fours,
/// half a row apart; in every other row the second one comes first, because neighbouring rows would share banks
/// otherwise.
///
/// A lane also owns a row of its own: the warp goes through the 32 rows in as many rounds as lanes share one, and the
/// lanes that share rows take turns.
template <int D>
class SplitRow {
public:
    static constexpr int lanes = D / 8;
    using Part = float[8];

    __device__ __forceinline__ explicit SplitRow(int lane)
        : lane_(lane),
          is_swapped_(lane / lanes * D / 32 % 2 != 0),
          first_(4 * (lane % lanes) + (is_swapped_ ? D / 2 : 0)) {}

    __device__ __forceinline__ void load(const float* row, Part& x) const {
        const float4 a = *reinterpret_cast<const float4*>(row + first_);
        const float4 b = *reinterpret_cast<const float4*>(row + (first_ ^ (D / 2)));
        x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w;
        x[4] = b.x, x[5] = b.y, x[6] = b.z, x[7] = b.w;
    }

    /// Every lane gets the dot product of the row that it shares.
    [[nodiscard]] __device__ __forceinline__ float dot_with(const Part& x, const Part& row) const {
        return sum_over<1, lanes / 2>(dot(x, row));
    }

    /// Reads the rows `own` of all lanes; every lane gets the dot product of its own.
    [[nodiscard]] __device__ __forceinline__ float dots(const Part& x, const float* __restrict__ table, int own,
                                                        float (&rows)[lanes][8]) const {
#pragma unroll
        for (int r = 0; r < lanes; ++r) {
            load(table + static_cast<long long>(__shfl_sync(all_lanes, own, r, lanes)) * D, rows[r]);
        }
        float result = 0;
#pragma unroll
        for (int r = 0; r < lanes; ++r) {
            const float product = dot_with(x, rows[r]);
            if (lane_ % lanes == r) result = product;
        }
        return result;
    }

    /// Adds the rows of all lanes to x, each times the `factor` of its lane.
    __device__ __forceinline__ void add(float factor, const float (&rows)[lanes][8], Part& x) const {
#pragma unroll
        for (int r = 0; r < lanes; ++r) {
            const float weight = __shfl_sync(all_lanes, factor, r, lanes);
#pragma unroll
            for (int c = 0; c < 8; ++c) x[c] = fmaf(weight, rows[r][c], x[c]);
        }
    }

    /// Writes the sum of x over all rows that the warp shares, times `factor`.
    __device__ __forceinline__ void store_sum(const Part& x, float factor, float* row) const {
        float sum[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) sum[c] = factor * sum_over<lanes, 16>(is_swapped_ ? x[c ^ 4] : x[c]);
        if (lane_ >= lanes) return;
        *reinterpret_cast<float4*>(row + first_) = make_float4(sum[0], sum[1], sum[2], sum[3]);
        *reinterpret_cast<float4*>(row + first_ + D / 2) = make_float4(sum[4], sum[5], sum[6], sum[7]);
    }

private:
    int lane_;
    bool is_swapped_;
    int first_;
};

}  // namespace neuroprim::train::cuda
