#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 256;

/// A thread per number of the input.
__global__ void __launch_bounds__(threads) forward(const __grid_constant__ DecoderInput call) {
    const int n = call.sizes.n;
    const int steps = n - 1;
    const int d_e = call.sizes.d_e;
    const int half = d_e / 2;
    const long long number = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    const long long row = number / d_e;
    const int channel = static_cast<int>(number - row * d_e);
    const long long b = row / steps;
    if (b >= static_cast<long long>(call.sizes.graphs) * call.sizes.per_graph) return;
    const long long graph = b / call.sizes.per_graph;
    if (channel < half) {
        call.input[number] = call.pooled_graph[graph * half + channel];
        return;
    }
    const int t = static_cast<int>(row - b * steps);
    const long long u = t == 0 ? call.start[b] : call.sources[row - 1];
    const long long v = t == 0 ? u : call.targets[row - 1];
    const float2 pair =
        reinterpret_cast<const float2*>(call.edges)[((graph * n + u) * n + v) * half + (channel - half)];
    call.input[number] = fmaxf(pair.x, pair.y);
}

/// A thread per edge and pair of channels; it asks every trajectory of the graph whether it took the edge, so that
/// sums are always made in the same order.
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ DecoderInput call) {
    const int n = call.sizes.n;
    const int steps = n - 1;
    const int d_e = call.sizes.d_e;
    const int half = d_e / 2;
    const long long number = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
    const long long edge = number / half;
    const int pair = static_cast<int>(number - edge * half);
    const long long graph = edge / (n * n);
    if (graph >= call.sizes.graphs) return;
    const int u = static_cast<int>(edge / n % n);
    const int v = static_cast<int>(edge % n);
    float sum = 0;
    const long long first = graph * call.sizes.per_graph;
    for (long long b = first; b < first + call.sizes.per_graph; ++b) {
        const int t = call.enter[b * n + v];
        if (t >= call.lengths[b]) continue;
        const bool taken = t == 0 ? u == v : call.sources[b * steps + t - 1] == u;
        if (taken) sum += call.d_input[(b * steps + t) * d_e + half + pair];
    }
    const float2 feature = reinterpret_cast<const float2*>(call.edges)[edge * half + pair];
    const bool left = feature.x >= feature.y;
    reinterpret_cast<float2*>(call.d_edges)[edge * half + pair] = make_float2(left ? sum : 0.0f, left ? 0.0f : sum);
}

unsigned block_count(long long work) {
    return static_cast<unsigned>((work + threads - 1) / threads);
}

}  // namespace

void decoder_input_forward(const DecoderInput& call, cudaStream_t stream) {
    const Sizes& sizes = call.sizes;
    const long long work = static_cast<long long>(sizes.trajectories()) * sizes.steps() * sizes.d_e;
    if (work == 0) return;
    forward<<<block_count(work), threads, 0, stream>>>(call);
    check_launch("decoder input");
}

void decoder_input_backward(const DecoderInput& call, cudaStream_t stream) {
    const Sizes& sizes = call.sizes;
    const long long work = static_cast<long long>(sizes.graphs) * sizes.n * sizes.n * (sizes.d_e / 2);
    if (work == 0) return;
    backward<<<block_count(work), threads, 0, stream>>>(call);
    check_launch("decoder input, gradients");
}

}  // namespace neuroprim::train::cuda
