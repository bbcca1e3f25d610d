#pragma once

#include "train/cuda/open_lists.cuh"

namespace neuroprim::train::cuda {

/// Sums over the edges of each open row, for a warp that walks over all edges of a step with a lane per edge. They
/// lie in shared memory behind the lists.
struct RowSums {
    float* sums;  // (n): the open rows of the warp's step

    [[nodiscard]] static std::size_t bytes(int n) {
        return static_cast<std::size_t>(query_warps * n) * sizeof(float);
    }

    __device__ RowSums(short* shared, int n)
        : sums(reinterpret_cast<float*>(shared + (2 + query_warps) * n) + static_cast<int>(threadIdx.x) / 32 * n) {}

    __device__ __forceinline__ void clear(int rows, int lane) const {
        __syncwarp();
        for (int r = lane; r < rows; r += 32) sums[r] = 0;
        __syncwarp();
    }

    /// Neighbouring lanes hold the edges of a row. They add up, always in the same order, and the last one goes on.
    __device__ __forceinline__ void add(float x, const EdgeWalk& walk, int columns, int lane) const {
        const int first = max(lane - walk.column(), 0);
#pragma unroll
        for (int bit = 1; bit <= 16; bit *= 2) {
            const float before = __shfl_up_sync(all_lanes, x, bit);
            if (lane - bit >= first) x += before;
        }
        const bool is_last = lane == 31 || walk.column() == columns - 1;
        if (is_last && walk.valid()) sums[walk.row()] += x;
        __syncwarp();
    }
};

}  // namespace neuroprim::train::cuda
