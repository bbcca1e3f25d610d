#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"
#include "train/cuda/shapes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int warps = 8;
constexpr int most_blocks = 264;
constexpr int rows_per_round = 8;

/// How the gradient of a matrix of `outputs` × D lies on the lanes of a warp: each holds a tile of it in registers
/// and meets every row of the two factors.
template <int D>
struct Tiling {
    static constexpr int outputs = D < 32 ? D : 32;  ///< per block; wider layers are cut into slices
    static constexpr int tile_inputs = D == 16 ? 4 : 8;
    static constexpr int lanes_across = D / tile_inputs;
    static constexpr int tile_outputs = outputs / (32 / lanes_across);
    static constexpr int part_floats = outputs * (D + 1);
};

/// A block per slice of outputs; its warps take rows in turn and add up at the end, always in the same order.
template <int D>
__global__ void __launch_bounds__(warps * 32) add_products(const __grid_constant__ LinearGradients call) {
    using T = Tiling<D>;
    __shared__ __align__(16) float inputs[warps][rows_per_round][D];
    __shared__ __align__(16) float slopes[warps][rows_per_round][T::outputs];
    __shared__ float sums[T::part_floats];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int first_input = lane % T::lanes_across * T::tile_inputs;
    const int first_output = lane / T::lanes_across * T::tile_outputs;
    const long long slice = static_cast<long long>(blockIdx.y) * T::outputs;
    float d_weight[T::tile_outputs][T::tile_inputs] = {};
    float d_bias[T::tile_outputs] = {};
    const long long stride = static_cast<long long>(gridDim.x) * warps * rows_per_round;
    const long long begin = (static_cast<long long>(blockIdx.x) * warps + warp) * rows_per_round;
    for (long long base = begin; base < call.rows; base += stride) {
        __syncwarp();
        constexpr int input_fours = rows_per_round * D / 4;
        for (int k = lane; k < input_fours; k += 32) {
            const long long row = base + k / (D / 4);
            float four[4] = {};
            if (row < call.rows) load(call.x + row * D + k % (D / 4) * 4, four);
            store(&inputs[warp][k / (D / 4)][k % (D / 4) * 4], four);
        }
        constexpr int slope_fours = rows_per_round * T::outputs / 4;
        for (int k = lane; k < slope_fours; k += 32) {
            const long long row = base + k / (T::outputs / 4);
            float four[4] = {};
            if (row < call.rows) load(call.d_y + row * call.outputs + slice + k % (T::outputs / 4) * 4, four);
            store(&slopes[warp][k / (T::outputs / 4)][k % (T::outputs / 4) * 4], four);
        }
        __syncwarp();
#pragma unroll
        for (int r = 0; r < rows_per_round; ++r) {
            float x[T::tile_inputs];
            float slope[T::tile_outputs];
            load(&inputs[warp][r][first_input], x);
            load(&slopes[warp][r][first_output], slope);
#pragma unroll
            for (int o = 0; o < T::tile_outputs; ++o) {
                d_bias[o] += slope[o];
#pragma unroll
                for (int i = 0; i < T::tile_inputs; ++i) d_weight[o][i] = fmaf(slope[o], x[i], d_weight[o][i]);
            }
        }
    }
    for (int w = 0; w < warps; ++w) {
        __syncthreads();
        if (warp != w) continue;
        const auto add = [&](int place, float value) { sums[place] = w == 0 ? value : sums[place] + value; };
#pragma unroll
        for (int o = 0; o < T::tile_outputs; ++o) {
#pragma unroll
            for (int i = 0; i < T::tile_inputs; ++i) add((first_output + o) * D + first_input + i, d_weight[o][i]);
            if (first_input == 0) add(T::outputs * D + first_output + o, d_bias[o]);
        }
    }
    __syncthreads();
    // (blocks, weights, then biases): weights of all slices stand in the order of the matrix.
    float* part = call.parts + static_cast<long long>(blockIdx.x) * call.outputs * (D + 1);
    for (int k = static_cast<int>(threadIdx.x); k < T::outputs * D; k += warps * 32) part[slice * D + k] = sums[k];
    for (int k = static_cast<int>(threadIdx.x); k < T::outputs; k += warps * 32) {
        part[static_cast<long long>(call.outputs) * D + slice + k] = sums[T::outputs * D + k];
    }
}

}  // namespace

bool supports_linear_gradients(int inputs, int outputs) {
    return is_known_width(inputs) && outputs > 0 && outputs % inputs == 0;
}

int linear_gradient_parts() {
    return most_blocks;
}

void linear_gradients(const LinearGradients& call, cudaStream_t stream) {
    for_known_width(call.inputs, [&](auto width) {
        const dim3 grid(most_blocks, static_cast<unsigned>(call.outputs / Tiling<width()>::outputs));
        add_products<width()><<<grid, warps * 32, 0, stream>>>(call);
        check_launch("gradients of a linear layer");
    });
    column_sums({most_blocks, call.outputs * (call.inputs + 1), call.parts, nullptr, call.d_weight_and_bias}, stream);
}

}  // namespace neuroprim::train::cuda
