#pragma once

#include "train/cuda/dense.cuh"
#include "train/cuda/kernels.hpp"

/// The decoder's weights in one piece: linear layers with transposed matrices, then norms. The scales of the scores
/// are folded into the queries, log2 e too where an exponential follows.
namespace neuroprim::train::cuda {

enum class LinearPlace {
    self_query,
    self_key,
    self_value,
    self_output,
    edge_query,
    edge_output,
    expand,
    contract,
    action_query,
    count
};
enum class NormPlace { self, edge, output, count };

template <int D>
struct PackedWeights {
    static constexpr int linears = static_cast<int>(LinearPlace::count);
    static constexpr int norms = static_cast<int>(NormPlace::count);
    static constexpr int floats = linears * linear_floats<D> + norms * 2 * D;

    const float* data;

    __device__ __forceinline__ const float* linear(LinearPlace place) const {
        return data + static_cast<int>(place) * linear_floats<D>;
    }
    __device__ __forceinline__ const float* norm(NormPlace place) const {
        return data + linears * linear_floats<D> + static_cast<int>(place) * 2 * D;
    }
};

/// One block per linear layer, and one for the norms.
template <int D, int H>
__global__ void pack_weights(DecoderWeights weights, float* packed) {
    const LinearWeights layers[] = {weights.self_query,  weights.self_key,   weights.self_value,
                                    weights.self_output, weights.edge_query, weights.edge_output,
                                    weights.expand,      weights.contract,   weights.action_query};
    const NormWeights norms[] = {weights.self_norm, weights.edge_norm, weights.output_norm};
    constexpr int linears = PackedWeights<D>::linears;
    const int block = static_cast<int>(blockIdx.x);
    if (block < linears) {
        float scale = 1;
        if (block == static_cast<int>(LinearPlace::self_query) ||
            block == static_cast<int>(LinearPlace::edge_query)) {
            scale = log2_e * rsqrtf(static_cast<float>(D / H));
        }
        if (block == static_cast<int>(LinearPlace::action_query)) scale = rsqrtf(static_cast<float>(D));
        float* to = packed + block * linear_floats<D>;
        for (int k = static_cast<int>(threadIdx.x); k < D * D; k += static_cast<int>(blockDim.x)) {
            to[k % D * D + k / D] = scale * layers[block].weight[k];
        }
        for (int k = static_cast<int>(threadIdx.x); k < D; k += static_cast<int>(blockDim.x)) {
            to[D * D + k] = scale * layers[block].bias[k];
        }
    } else {
        float* to = packed + linears * linear_floats<D>;
        for (int k = static_cast<int>(threadIdx.x); k < PackedWeights<D>::norms * D;
             k += static_cast<int>(blockDim.x)) {
            to[k / D * 2 * D + k % D] = norms[k / D].weight[k % D];
            to[k / D * 2 * D + D + k % D] = norms[k / D].bias[k % D];
        }
    }
}

}  // namespace neuroprim::train::cuda
