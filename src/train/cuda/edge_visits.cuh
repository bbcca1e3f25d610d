#pragma once

#include "train/cuda/limits.cuh"

namespace neuroprim::train::cuda {

/// Blocks that sum gradients of edges have a warp per edge. The edges are neighbours in one row of a graph and need
/// the same steps, so the more there are, the more often what one has read serves the others.
inline dim3 edge_grid(const Sizes& sizes, int warps) {
    return dim3(static_cast<unsigned>((sizes.n + warps - 1) / warps), static_cast<unsigned>(sizes.n),
                static_cast<unsigned>(sizes.graphs));
}

/// The edge of the calling warp in a grid of `edge_grid`; past the last column there is none.
template <int Warps>
struct WarpEdge {
    long long graph = blockIdx.z;
    int u = static_cast<int>(blockIdx.y);
    int v = static_cast<int>(blockIdx.x) * Warps + static_cast<int>(threadIdx.x) / 32;

    /// Number of the edge, or of another one that is safe to read, in a (G, n, n) table.
    [[nodiscard]] __device__ __forceinline__ long long place(int n) const {
        return (graph * n + u) * n + min(v, n - 1);
    }
};

/// Calls `use(b, t, is_open, count)` for the steps t of all trajectories b of the graph at which the warp's edge was
/// open, a lane each and 32 at a time: `count` lanes from the first on have one. Steps are counted across
/// trajectories, so that lanes are busy however short the time is for which a tree keeps an edge open. The others get
/// a step that is safe to read. `is_open` is false for them and where a limit of the pair closes the edge.
///
/// All threads of the block must take part.
template <bool Limited, int Warps, class Use>
__device__ __forceinline__ void for_open_steps(const WarpEdge<Warps>& edge, const Sizes& sizes, const Times& times,
                                               const StepLimits& limits, Use&& use) {
    constexpr int batch = 32;  // trajectories, a lane each
    __shared__ int begins[Warps][batch + 1];
    __shared__ int counts[Warps][batch + 1];
    const int n = sizes.n;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const long long first = edge.graph * sizes.per_graph;
    for (int base = 0; base < sizes.per_graph; base += batch) {
        // The block reads when all its columns joined: neighbours in memory, where a warp's own are far apart.
        const int column = static_cast<int>(threadIdx.x) % Warps;
        const int tree = static_cast<int>(threadIdx.x) / Warps;
        const int v = static_cast<int>(blockIdx.x) * Warps + column;
        int opens = 0;
        int shuts = 0;
        if (base + tree < sizes.per_graph && v < n) {
            const long long b = first + base + tree;
            opens = times.enter[b * n + edge.u];
            shuts = min(min(times.close[b * n + edge.u], times.enter[b * n + v]), times.lengths[b]);
        }
        __syncthreads();
        begins[column][tree] = opens;
        counts[column][tree] = max(shuts - opens, 0);
        __syncthreads();
        const int count = counts[warp][lane];
        int until = count;  // steps of the trajectories up to the lane's own
#pragma unroll
        for (int bit = 1; bit < batch; bit *= 2) {
            const int before = __shfl_up_sync(all_lanes, until, bit);
            if (lane >= bit) until += before;
        }
        const int total = __shfl_sync(all_lanes, until, batch - 1);
        const int shift = begins[warp][lane] - (until - count);
        for (int from = 0; from < total; from += 32) {
            const int number = min(from + lane, total - 1);
            int k = 0;  // trajectories that end before this number
#pragma unroll
            for (int bit = batch / 2; bit >= 1; bit /= 2) {
                if (__shfl_sync(all_lanes, until, k + bit - 1) <= number) k += bit;
            }
            const int t = number + __shfl_sync(all_lanes, shift, k);
            const long long b = first + base + k;
            bool is_open = from + lane < total;
            if constexpr (Limited) {
                is_open = is_open && OpenPairs(limits, sizes, b, t).has(edge.u, edge.v);
            }
            use(b, t, is_open, min(total - from, 32));
        }
    }
}

}  // namespace neuroprim::train::cuda
