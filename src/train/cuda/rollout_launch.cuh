#pragma once

#include <algorithm>

#include "train/cuda/rollout_kernel.cuh"
#include "train/cuda/shapes.cuh"

/// How rollouts are laid out on the chip; with and without limits they are compiled in files of their own.
namespace neuroprim::train::cuda {

inline constexpr int most_shared_bytes = 226 * 1024;  // of a block; one more kilobyte is the system's

/// How many warp_groups fit into a block by its threads.
template <int Warps>
constexpr int most_warp_groups = Warps == 1 ? 14 : 16 / Warps;

/// Larger decoders leave their weights in global memory, where the first-level cache holds what is used.
template <int D>
constexpr bool weights_in_shared_memory = D <= 32;

/// For so many warps a multiprocessor has registers in the layouts that are full by them: one warp a tree where trees
/// abound, and eight where four trees share a multiprocessor.
template <int Warps>
constexpr int most_warps_by_registers = Warps == 8 ? 32 : 24;

/// What the compiler bounds registers by. Other layouts are full by shared memory.
template <int D, int Warps, bool Limited>
constexpr int most_threads = 32 * (D == 16 && !Limited && (Warps == 1 || Warps == 8)
                                       ? most_warps_by_registers<Warps>
                                       : most_warp_groups<Warps> * Warps);

template <int D, int H, int Warps, bool Limited>
__global__ void __launch_bounds__(most_threads<D, Warps, Limited>) grow_trees(const __grid_constant__ Rollout call) {
    extern __shared__ __align__(16) float shared[];
    const float* weights = call.packed_weights;
    float* rest = shared;
    if constexpr (weights_in_shared_memory<D>) {
        constexpr int fours = PackedWeights<D>::floats / 4;
        for (int k = static_cast<int>(threadIdx.x); k < fours; k += static_cast<int>(blockDim.x)) {
            reinterpret_cast<float4*>(shared)[k] = reinterpret_cast<const float4*>(call.packed_weights)[k];
        }
        weights = shared;
        rest += PackedWeights<D>::floats;
    }
    __syncthreads();
    const int warp_groups = static_cast<int>(blockDim.x) / (Warps * 32);
    const int number = static_cast<int>(threadIdx.x) / (Warps * 32);
    const int trajectory = static_cast<int>(blockIdx.x) * warp_groups + number;
    if (trajectory >= call.sizes.graphs * call.sizes.per_graph) return;
    const WarpGroup<D, H, Warps, Limited> group(rest + number * WarpGroup<D, H, Warps, Limited>::floats(call.sizes.n),
                                                call.sizes.n);
    RolloutKernel<D, H, Warps, Limited>(call, group, weights, trajectory, number, warp_in_group<Warps>(number)).run();
}

template <int D>
constexpr std::size_t weight_bytes = weights_in_shared_memory<D> ? PackedWeights<D>::floats * sizeof(float) : 0;

template <int D, int H, int Warps, bool Limited>
std::size_t block_bytes(int n, int warp_groups) {
    return weight_bytes<D> +
           static_cast<std::size_t>(warp_groups * WarpGroup<D, H, Warps, Limited>::floats(n)) * sizeof(float);
}

/// How many trees a multiprocessor holds at once.
struct Residency {
    int warp_groups = 1;  ///< of a block
    int trees = 0;
};

/// Trees grow one step after the other, so what counts is how many of them a multiprocessor can hold: as many
/// warp_groups in a block as make the best use of its shared memory and registers.
template <int D, int H, int Warps, bool Limited>
Residency best_residency(int n) {
    constexpr int most_warps = Limited ? 16 : 24;  // by registers
    Residency best;
    for (int warp_groups = 1; warp_groups <= most_warp_groups<Warps>; ++warp_groups) {
        const std::size_t bytes = block_bytes<D, H, Warps, Limited>(n, warp_groups);
        if (bytes > most_shared_bytes) break;
        const int blocks = static_cast<int>((most_shared_bytes + 1024) / (bytes + 1024));
        const int trees = std::min(blocks, most_warps / (warp_groups * Warps)) * warp_groups;
        if (trees > best.trees) best = {warp_groups, trees};
    }
    return best;
}

/// One warp for each tree lets none wait while another does the small products; several make steps short. One pays
/// where trees abound and so many more of them fit on the chip that it makes up for longer steps, which are longest
/// where all vertices of the tree are open. Where so many are open that eight warps have enough to do, eight do.
template <int D, int H, bool Limited>
int choose_warps(const Rollout& call) {
    constexpr int several = 4;
    if (call.sizes.trajectories() < 2048) return several;
    const int degree = call.is_limited ? call.limits.degree : call.degree_limit;
    const int enough = degree == 2 ? 2 : 4;
    const int n = call.sizes.n;
    if (D == 16 && !Limited && degree == 0 && n >= 100) return 8;
    const int of_several = best_residency<D, H, several, Limited>(n).trees;
    return best_residency<D, H, 1, Limited>(n).trees >= enough * of_several ? 1 : several;
}

inline int multiprocessors() {
    int device = 0;
    int count = 1;
    check(cudaGetDevice(&device), "device");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "multiprocessors");
    return count;
}

/// Warp groups of a block. Few trees are dealt out evenly: one block for each multiprocessor.
template <int D, int H, int Warps, bool Limited>
int choose_warp_groups(const Sizes& sizes) {
    constexpr int many = 1024;
    if (sizes.trajectories() >= many) return best_residency<D, H, Warps, Limited>(sizes.n).warp_groups;
    const int available = multiprocessors();
    return (sizes.trajectories() + available - 1) / available;
}

template <int D, int H, int Warps, bool Limited>
void launch(const Rollout& call, cudaStream_t stream) {
    const int n = call.sizes.n;
    const int wanted = call.warp_groups > 0 ? call.warp_groups : choose_warp_groups<D, H, Warps, Limited>(call.sizes);
    const auto room = static_cast<int>((most_shared_bytes - weight_bytes<D>) /
                                       (block_bytes<D, H, Warps, Limited>(n, 1) - weight_bytes<D>));
    const int warp_groups = std::max(1, std::min({wanted, room, most_warp_groups<Warps>}));
    const std::size_t bytes = block_bytes<D, H, Warps, Limited>(n, warp_groups);
    const auto kernel = grow_trees<D, H, Warps, Limited>;
    allow_shared_memory(kernel, bytes);
    const int blocks = (call.sizes.trajectories() + warp_groups - 1) / warp_groups;
    kernel<<<blocks, warp_groups * Warps * 32, bytes, stream>>>(call);
    check_launch("rollout");
}

template <int D, int H, bool Limited>
void launch_with(const Rollout& call, cudaStream_t stream) {
    const int warps = call.warps > 0 ? call.warps : choose_warps<D, H, Limited>(call);
    if (warps == 1) {
        launch<D, H, 1, Limited>(call, stream);
    } else if (warps == 2) {
        launch<D, H, 2, Limited>(call, stream);
    } else if (warps == 4) {
        launch<D, H, 4, Limited>(call, stream);
    } else {
        launch<D, H, 8, Limited>(call, stream);
    }
}

/// rollout_limited.cu; the weights are packed already.
void launch_limited_rollout(const Rollout& call, cudaStream_t stream);

}  // namespace neuroprim::train::cuda
