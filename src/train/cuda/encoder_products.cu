#include "train/cuda/encoder_kernels.hpp"
#include "train/cuda/product.cuh"

namespace neuroprim::train::cuda {

namespace {

struct NothingElse {
    template <class Numbers>
    __device__ __forceinline__ void operator()(const Numbers&) const {}
};

/// A block per tile of y.
template <int Rows>
__global__ void __launch_bounds__(product_threads) forward(const __grid_constant__ LinearForward call) {
    using A = ProductSide<Rows, true>;
    using B = ProductSide<product_columns, true>;
    __shared__ __align__(16) float shared[product_floats<A, B>];
    const int first_row = static_cast<int>(blockIdx.y) * Rows;
    const int first_column = static_cast<int>(blockIdx.x) * product_columns;
    const int width = call.outputs / call.weights.count;
    const int part = first_column / width;
    const int in_part = first_column - part * width;
    const float* weight = call.weights.weight[part] + static_cast<long long>(in_part) * call.inputs;
    const float* bias = call.weights.bias[part] + in_part;
    const auto place_x = [&](int row, int depth) {
        const long long r = first_row + row;
        return r < call.rows ? call.x + r * call.inputs + depth : nullptr;
    };
    const auto place_weight = [&](int column, int depth) { return weight + column * call.inputs + depth; };
    const auto finish = [&](int row, int column, float(&sums)[4]) {
        const long long r = first_row + row;
        if (r >= call.rows) return;
        float four[4];
        load(bias + column, four);
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[c] += four[c];
        const long long place = r * call.outputs + first_column + column;
        if (call.residual != nullptr) {
            load(call.residual + place, four);
#pragma unroll
            for (int c = 0; c < 4; ++c) sums[c] += four[c];
        }
        if (call.relu) {
#pragma unroll
            for (int c = 0; c < 4; ++c) sums[c] = fmaxf(sums[c], 0.0f);
        }
        store(call.y + place, sums);
    };
    multiply<A, B>(shared, call.inputs, place_x, place_weight, NothingElse{}, finish);
}

/// A block per tile of d_x.
template <int Rows>
__global__ void __launch_bounds__(product_threads) backward(const __grid_constant__ LinearBackward call) {
    using A = ProductSide<Rows, true>;
    using B = ProductSide<product_columns, false>;
    __shared__ __align__(16) float shared[product_floats<A, B>];
    const int first_row = static_cast<int>(blockIdx.y) * Rows;
    const int first_column = static_cast<int>(blockIdx.x) * product_columns;
    const int width = call.outputs / call.weights.count;
    const auto place_slope = [&](int row, int depth) {
        const long long r = first_row + row;
        return r < call.rows ? call.d_y + r * call.outputs + depth : nullptr;
    };
    const auto place_weight = [&](int column, int depth) {
        const int part = depth / width;
        const long long row = depth - part * width;
        return call.weights.weight[part] + row * call.inputs + first_column + column;
    };
    const auto finish = [&](int row, int column, float(&sums)[4]) {
        const long long r = first_row + row;
        if (r >= call.rows) return;
        float four[4];
        const long long place = r * call.inputs + first_column + column;
        if (call.residual != nullptr) {
            load(call.residual + place, four);
#pragma unroll
            for (int c = 0; c < 4; ++c) sums[c] += four[c];
        }
        if (call.rectified != nullptr) {
            load(call.rectified + place, four);
#pragma unroll
            for (int c = 0; c < 4; ++c) sums[c] = four[c] > 0 ? sums[c] : 0.0f;
        }
        store(call.d_x + place, sums);
    };
    multiply<A, B>(shared, call.outputs, place_slope, place_weight, NothingElse{}, finish);
}

__device__ __host__ __forceinline__ int tiles_of(const WeightGradients::Layer& layer) {
    return layer.outputs / 32 * (layer.inputs / product_columns);
}

/// A block per tile of a weight's gradient; those of the first columns add up the bias's too.
__global__ void __launch_bounds__(product_threads) add_weights(const __grid_constant__ WeightGradients call) {
    using A = ProductSide<32, false>;
    using B = ProductSide<product_columns, false>;
    __shared__ __align__(16) float shared[product_floats<A, B>];
    __shared__ float bias_parts[product_groups][32];
    int number = 0;
    int tile = static_cast<int>(blockIdx.x);
    while (tile >= tiles_of(call.layers[number])) tile -= tiles_of(call.layers[number++]);
    const WeightGradients::Layer& layer = call.layers[number];
    const int across = layer.inputs / product_columns;
    const int first_output = tile / across * 32;
    const int first_input = tile % across * product_columns;
    const bool sums_bias = first_input == 0;
    const auto place_slope = [&](int output, int row) {
        return layer.d_y + static_cast<long long>(row) * layer.d_y_stride + first_output + output;
    };
    const auto place_x = [&](int input, int row) {
        return layer.x + static_cast<long long>(row) * layer.inputs + first_input + input;
    };
    float d_bias[4] = {};
    const auto add_bias = [&](const float(&slopes)[4][4]) {
        if (!sums_bias) return;
#pragma unroll
        for (int d = 0; d < 4; ++d) {
#pragma unroll
            for (int k = 0; k < 4; ++k) d_bias[k] += slopes[d][k];
        }
    };
    const auto finish = [&](int output, int input, float(&sums)[4]) {
        store(layer.d_weight + static_cast<long long>(first_output + output) * layer.inputs + first_input + input,
              sums);
    };
    multiply<A, B>(shared, call.rows, place_slope, place_x, add_bias, finish);
    if (!sums_bias) return;
    const int thread = static_cast<int>(threadIdx.x);
    if (thread % 8 == 0) {
#pragma unroll
        for (int k = 0; k < 4; ++k) bias_parts[thread / 64][A::index(thread % 64 / 8, k)] = d_bias[k];
    }
    __syncthreads();
    if (thread >= 32) return;
    float total = 0;
    for (int g = 0; g < product_groups; ++g) total += bias_parts[g][thread];
    layer.d_bias[first_output + thread] = total;
}

/// Tall tiles need fewer loads for each number, low ones occupy more of the chip where there are few.
constexpr int multiprocessors = 132;

bool prefers_tall_tiles(int rows, int columns) {
    return (rows + 63) / 64 * (columns / product_columns) >= multiprocessors;
}

dim3 grid_of(int rows, int tile_rows, int columns) {
    return {static_cast<unsigned>(columns / product_columns),
            static_cast<unsigned>((rows + tile_rows - 1) / tile_rows)};
}

}  // namespace

void linear_forward(const LinearForward& call, cudaStream_t stream) {
    if (prefers_tall_tiles(call.rows, call.outputs)) {
        forward<64><<<grid_of(call.rows, 64, call.outputs), product_threads, 0, stream>>>(call);
    } else {
        forward<32><<<grid_of(call.rows, 32, call.outputs), product_threads, 0, stream>>>(call);
    }
    check_launch("linear layer of the encoder");
}

void linear_backward(const LinearBackward& call, cudaStream_t stream) {
    if (prefers_tall_tiles(call.rows, call.inputs)) {
        backward<64><<<grid_of(call.rows, 64, call.inputs), product_threads, 0, stream>>>(call);
    } else {
        backward<32><<<grid_of(call.rows, 32, call.inputs), product_threads, 0, stream>>>(call);
    }
    check_launch("linear layer of the encoder, backwards");
}

void weight_gradients(const WeightGradients& call, cudaStream_t stream) {
    int tiles = 0;
    for (int k = 0; k < call.count; ++k) tiles += tiles_of(call.layers[k]);
    add_weights<<<static_cast<unsigned>(tiles), product_threads, 0, stream>>>(call);
    check_launch("gradients of the encoder's weights");
}

}  // namespace neuroprim::train::cuda
