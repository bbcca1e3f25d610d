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
        const float2 pair = reinterpret_cast<const float2*>(call.graph)[graph * half + channel];
        call.input[number] = fmaxf(pair.x, pair.y);
        return;
    }
    const int t = static_cast<int>(row - b * steps);
    const long long u = t == 0 ? call.start[b] : call.sources[row - 1];
    const long long v = t == 0 ? u : call.targets[row - 1];
    const float2 pair =
        reinterpret_cast<const float2*>(call.edges)[((graph * n + u) * n + v) * half + (channel - half)];
    call.input[number] = fmaxf(pair.x, pair.y);
}

/// The gradient of a pair of which the larger number was taken.
__device__ __forceinline__ float2 to_larger(float2 pair, float slope) {
    const bool left = pair.x >= pair.y;
    return make_float2(left ? slope : 0.0f, left ? 0.0f : slope);
}

/// The gradient of one graph's feature, by a block: threads share its steps and add up in order.
__device__ void add_graph_slopes(const DecoderInput& call, long long graph) {
    __shared__ float sums[threads];
    const int d_e = call.sizes.d_e;
    const int half = d_e / 2;
    const int thread = static_cast<int>(threadIdx.x);
    const int sharing = threads / half;
    const int pair = thread % half;
    const long long rows = static_cast<long long>(call.sizes.per_graph) * (call.sizes.n - 1);
    const float* slopes = call.d_input + graph * rows * d_e + pair;
    float sum = 0;
#pragma unroll 8
    for (long long row = thread / half; row < rows; row += sharing) sum += slopes[row * d_e];
    sums[thread] = sum;  // past sharing · half threads, where half divides no 256, nobody reads it
    __syncthreads();
    if (thread >= half) return;
    float total = 0;
    for (int k = 0; k < sharing; ++k) total += sums[k * half + pair];
    const long long place = graph * half + pair;
    reinterpret_cast<float2*>(call.d_graph)[place] =
        to_larger(reinterpret_cast<const float2*>(call.graph)[place], total);
}

/// Trajectories of which a block remembers how they reached its vertex.
constexpr int remembered = 512;

/// A block per graph and vertex v, a thread per source u and pair of channels: it asks every trajectory of the graph
/// whether it reached v from u, so that sums are always made in the same order. The first blocks, one for each graph,
/// have the graph's own feature.
__global__ void __launch_bounds__(threads) backward(const __grid_constant__ DecoderInput call) {
    __shared__ short source[remembered];  // from where the trajectory reached v; v itself at the start, −1: never
    __shared__ short step[remembered];    // which step sees that edge as its last action
    const int n = call.sizes.n;
    const int steps = n - 1;
    const int d_e = call.sizes.d_e;
    const int half = d_e / 2;
    const int per_graph = call.sizes.per_graph;
    const int number = static_cast<int>(blockIdx.x) - call.sizes.graphs;
    if (number < 0) return add_graph_slopes(call, blockIdx.x);
    const int v = number % n;
    const long long graph = number / n;
    const long long first = graph * per_graph;
    const int thread = static_cast<int>(threadIdx.x);
    for (int base = 0; base < n * half; base += threads) {
        const int u = (base + thread) / half;
        const int pair = (base + thread) % half;
        float sum = 0;
        for (int chunk = 0; chunk < per_graph; chunk += remembered) {
            const int count = min(remembered, per_graph - chunk);
            if (base == 0 || per_graph > remembered) {
                __syncthreads();
                for (int k = thread; k < count; k += threads) {
                    const long long b = first + chunk + k;
                    const int t = call.enter[b * n + v];
                    const bool seen = t < call.lengths[b];
                    step[k] = static_cast<short>(seen ? t : 0);
                    source[k] = static_cast<short>(!seen ? -1 : (t == 0 ? v : call.sources[b * steps + t - 1]));
                }
                __syncthreads();
            }
            for (int k = 0; k < count; ++k) {
                if (source[k] == u) {
                    sum += call.d_input[((first + chunk + k) * steps + step[k]) * d_e + half + pair];
                }
            }
        }
        if (u >= n) continue;
        const long long place = ((graph * n + u) * n + v) * half + pair;
        reinterpret_cast<float2*>(call.d_edges)[place] =
            to_larger(reinterpret_cast<const float2*>(call.edges)[place], sum);
    }
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
    if (sizes.graphs * sizes.n == 0) return;
    backward<<<static_cast<unsigned>(sizes.graphs * (sizes.n + 1)), threads, 0, stream>>>(call);
    check_launch("decoder input, gradients");
}

}  // namespace neuroprim::train::cuda
