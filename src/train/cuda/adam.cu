#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 256;
constexpr int parts = 264;

/// Sum over the block in a fixed order; the first thread gets it.
__device__ float block_sum(float x) {
    __shared__ float sums[threads / 32];
    x = sum_over<1, 16>(x);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
    __syncthreads();
    float total = 0;
    if (threadIdx.x == 0) {
        for (const float sum : sums) total += sum;
    }
    return total;
}

__global__ void __launch_bounds__(threads) add_squares(const __grid_constant__ Adam call) {
    float sum = 0;
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < call.size;
         i += static_cast<long long>(parts) * threads) {
        sum = fmaf(call.gradients[i], call.gradients[i], sum);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) call.norm_parts[blockIdx.x] = sum;
}

/// Every block adds up the parts for itself, in the same order.
__global__ void __launch_bounds__(threads) move(const __grid_constant__ Adam call) {
    __shared__ float shared_norm;
    float sum = 0;
    for (int k = static_cast<int>(threadIdx.x); k < parts; k += threads) sum += call.norm_parts[k];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        shared_norm = sqrtf(sum);
        if (blockIdx.x == 0) *call.norm = shared_norm;
    }
    __syncthreads();
    float scale = 1;
    if (call.largest_norm > 0) scale = fminf(1.0f, call.largest_norm / (shared_norm + 1e-6f));
    const float rate = call.factors[0] / call.factors[1];
    const float correction = rsqrtf(call.factors[2]);
    for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < call.size;
         i += static_cast<long long>(gridDim.x) * threads) {
        const float gradient = scale * call.gradients[i];
        const float first = call.beta1 * call.first_moments[i] + (1.0f - call.beta1) * gradient;
        const float second = call.beta2 * call.second_moments[i] + (1.0f - call.beta2) * gradient * gradient;
        call.first_moments[i] = first;
        call.second_moments[i] = second;
        call.values[i] -= rate * first / (sqrtf(second) * correction + call.epsilon);
    }
}

}  // namespace

int norm_part_count() {
    return parts;
}

void adam_update(const Adam& call, cudaStream_t stream) {
    add_squares<<<parts, threads, 0, stream>>>(call);
    check_launch("gradient norm");
    const long long blocks = (call.size + threads - 1) / threads;
    move<<<static_cast<unsigned>(blocks < 2048 ? blocks : 2048), threads, 0, stream>>>(call);
    check_launch("Adam");
}

}  // namespace neuroprim::train::cuda
