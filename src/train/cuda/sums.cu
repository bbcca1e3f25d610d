#include <algorithm>

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int row_warps = 8;
constexpr int rows_at_once = 1024;

/// A block per 32 columns and part of the rows; lane = column, the warps share the rows and add up in order.
__global__ void __launch_bounds__(row_warps * 32) add_rows(const float* __restrict__ x, long long rows, int columns,
                                                           long long rows_per_part, float* __restrict__ out) {
    __shared__ float sums[row_warps][32];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int column = static_cast<int>(blockIdx.x) * 32 + lane;
    const long long begin = blockIdx.y * rows_per_part;
    const long long end = min(begin + rows_per_part, rows);
    float sum = 0;
    if (column < columns) {
#pragma unroll 8
        for (long long row = begin + warp; row < end; row += row_warps) sum += x[row * columns + column];
    }
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp != 0 || column >= columns) return;
    float total = 0;
#pragma unroll
    for (int w = 0; w < row_warps; ++w) total += sums[w][lane];
    out[static_cast<long long>(blockIdx.y) * columns + column] = total;
}

void launch(const float* x, long long rows, int columns, int parts, float* out, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>((columns + 31) / 32), static_cast<unsigned>(parts));
    add_rows<<<grid, row_warps * 32, 0, stream>>>(x, rows, columns, (rows + parts - 1) / parts, out);
    check_launch("sums of columns");
}

}  // namespace

int column_sum_parts(std::int64_t rows) {
    constexpr std::int64_t most = 256;
    return static_cast<int>(std::min(most, (rows + rows_at_once - 1) / rows_at_once));
}

void column_sums(const ColumnSums& call, cudaStream_t stream) {
    const int parts = column_sum_parts(call.rows);
    if (parts <= 1) return launch(call.x, call.rows, call.columns, 1, call.sums, stream);
    launch(call.x, call.rows, call.columns, parts, call.parts, stream);
    launch(call.parts, parts, call.columns, 1, call.sums, stream);
}

}  // namespace neuroprim::train::cuda
