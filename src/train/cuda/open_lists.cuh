#pragma once

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

inline constexpr int query_warps = 8;

/// The vertices of one trajectory in the order in which they entered, then those that never did: the first t + 1 are
/// the tree at step t and the others are outside, so this one list holds the columns of every step.
///
/// Shared memory of a block that works on the steps of one trajectory, a warp per step.
struct OpenLists {
    short* order;  // (n)
    short* shut;   // (n) when the vertex at this place of `order` closes, n if never
    short* rows;   // (n) per warp: the open rows of its step
    int length;

    [[nodiscard]] static std::size_t bytes(int n) {
        return static_cast<std::size_t>((2 + query_warps) * n) * sizeof(short);
    }

    /// All threads of the block must take part.
    __device__ OpenLists(short* shared, const Times& times, long long b, int n) : order(shared), shut(shared + n) {
        const int thread = static_cast<int>(threadIdx.x);
        rows = shared + (2 + thread / 32) * n;
        length = times.lengths[b];
        const std::int32_t* enter = times.enter + b * n;
        const std::int32_t* close = times.close + b * n;
        for (int v = thread; v < n; v += static_cast<int>(blockDim.x)) {
            if (enter[v] <= length) {
                order[enter[v]] = static_cast<short>(v);
                shut[enter[v]] = static_cast<short>(min(close[v], n));
            }
        }
        if (thread < 32) {
            int next = length + 1;
            for (int begin = 0; begin < n; begin += 32) {
                const int v = begin + thread;
                const bool left_out = v < n && enter[v] > length;
                const unsigned mask = __ballot_sync(all_lanes, left_out);
                if (left_out) {
                    const int place = next + __popc(mask & ((1u << thread) - 1u));
                    order[place] = static_cast<short>(v);
                    shut[place] = static_cast<short>(n);
                }
                next += __popc(mask);
            }
        }
        __syncthreads();
    }

    /// Lists the open rows of step t for the calling warp.
    __device__ __forceinline__ OpenEdges at(int t, int n, int lane) const {
        int count = 0;
        __syncwarp();
        for (int begin = 0; begin <= t; begin += 32) {
            const int k = begin + lane;
            const bool open = k <= t && shut[k] > t;
            const unsigned mask = __ballot_sync(all_lanes, open);
            if (open) rows[count + __popc(mask & ((1u << lane) - 1u))] = order[k];
            count += __popc(mask);
        }
        __syncwarp();
        return {rows, order + t + 1, count, n - 1 - t};
    }
};

/// A block per trajectory, several when there are too few trajectories to fill the chip.
inline dim3 query_grid(const Sizes& sizes) {
    const int most = (sizes.steps() + query_warps - 1) / query_warps;
    const int wanted = sizes.trajectories() >= 2048 ? 1 : 2048 / sizes.trajectories();
    return dim3(static_cast<unsigned>(sizes.trajectories()), static_cast<unsigned>(max(1, min(wanted, most))));
}

}  // namespace neuroprim::train::cuda
