#pragma once

#include <cstdint>

#include "train/cuda/lanes.cuh"

/// What a group of warps that grows one tree keeps in shared memory, and how its warps wait for each other.
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
    int* control;         // (4) open rows, outside vertices, finished
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

/// The number of the calling warp in its group, of which the first one leads. A multiprocessor deals the warps of a
/// block to four schedulers in turn; so that the leaders of its groups, who work while the others wait, do not share
/// one, numbers begin elsewhere from group to group.
template <int Warps>
__device__ __forceinline__ int warp_in_group(int group) {
    constexpr int schedulers = 4;
    const int turn = Warps < schedulers ? group * Warps / schedulers : group;
    return (static_cast<int>(threadIdx.x) / 32 + turn) % Warps;
}

/// Brings a number into the first-level cache, for another warp to read. Nobody waits for it.
__device__ __forceinline__ void touch(const float* place) {
    [[maybe_unused]] float number;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(number) : "l"(place));
}

/// Waits for the warps of one group; groups of a block never wait for each other.
template <int Warps>
__device__ __forceinline__ void warp_group_barrier(int group) {
    if constexpr (Warps == 1) {
        __syncwarp();
    } else {
        asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(Warps * 32) : "memory");
    }
}

}  // namespace neuroprim::train::cuda
