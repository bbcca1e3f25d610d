#pragma once

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

/// The open rows of all steps of one trajectory, numbered vertex by vertex and then step by step. A path has two of
/// them at a step, so what is done for rows is done for these alone.
struct OpenRows {
    int* until;  // (n) how many there are up to this vertex and with it
    int* shift;  // (n) number k, if it is this vertex's, is that of step k + shift
    int n;

    /// Shared memory of a block that works on one trajectory.
    [[nodiscard]] static std::size_t bytes(int n) { return static_cast<std::size_t>(2 * n) * sizeof(int); }

    /// All threads of the block must take part, and have done with the trajectory before.
    __device__ OpenRows(int* shared, const Times& times, long long b, int vertices)
        : until(shared), shift(shared + vertices), n(vertices) {
        __syncthreads();
        const int length = times.lengths[b];
        for (int u = static_cast<int>(threadIdx.x); u < n; u += static_cast<int>(blockDim.x)) {
            const int begin = times.enter[b * n + u];
            until[u] = max(min(times.close[b * n + u], length) - begin, 0);
            shift[u] = begin;
        }
        __syncthreads();
        if (threadIdx.x < 32) add_up(static_cast<int>(threadIdx.x));
        __syncthreads();
    }

    [[nodiscard]] __device__ __forceinline__ int count() const { return until[n - 1]; }

    /// Number of the row in a (T, n) table.
    [[nodiscard]] __device__ __forceinline__ int place(int number) const {
        int low = 0;
        int high = n - 1;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (until[middle] <= number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return (number + shift[low]) * n + low;
    }

private:
    __device__ __forceinline__ void add_up(int lane) const {
        int before = 0;
        for (int first = 0; first < n; first += 32) {
            const int u = first + lane;
            const int own = u < n ? until[u] : 0;
            int sum = own;
#pragma unroll
            for (int bit = 1; bit <= 16; bit *= 2) {
                const int other = __shfl_up_sync(all_lanes, sum, bit);
                if (lane >= bit) sum += other;
            }
            sum += before;
            if (u < n) {
                until[u] = sum;
                shift[u] -= sum - own;
            }
            before = __shfl_sync(all_lanes, sum, 31);
        }
    }
};

}  // namespace neuroprim::train::cuda
