#pragma once

#include "train/cuda/lanes.cuh"

/// A tile of a product of two matrices, A (rows, depth) · B (depth, columns), by one block of 256 threads.
///
/// The tile is small, 32 or 64 × 32, so that even a few hundred rows occupy most of the chip. Therefore four groups
/// of 64 threads share the depth instead of the tile: each thread multiplies 4 or 8 × 4 numbers, and the sums of the
/// groups are added in order at the end.
namespace neuroprim::train::cuda {

inline constexpr int product_threads = 256;
inline constexpr int product_columns = 32;
inline constexpr int product_depth = 64;  ///< of what lies in shared memory at a time; much is on its way at once
inline constexpr int product_groups = 4;

/// `Size` rows of A or columns of B, of which `product_depth` numbers lie in shared memory. In memory either the
/// depth is contiguous (the rows of x and of a weight) or the other side is (a weight or rows, transposed).
template <int Size, bool DepthContiguous>
struct ProductSide {
    static constexpr int size = Size;
    static constexpr int stride = (DepthContiguous ? product_depth : Size) + 4;
    static constexpr int floats = (DepthContiguous ? Size : product_depth) * stride;
    static constexpr int fours = Size * product_depth / 4 / product_threads;  ///< loads of a thread

    float next[fours][4];  ///< what is on its way from memory

    /// `at(other, depth)` is where four neighbouring numbers stand, or null for zeros, which also stand at `end`.
    template <class Place>
    __device__ __forceinline__ void fetch(int depth, int end, const Place& at) {
#pragma unroll
        for (int k = 0; k < fours; ++k) {
            const Spot spot(k);
            const int place = depth + spot.depth;
            const float* from = place < end ? at(spot.other, place) : nullptr;
#pragma unroll
            for (int c = 0; c < 4; ++c) next[k][c] = 0;
            if (from != nullptr) load(from, next[k]);
        }
    }

    __device__ __forceinline__ void put(float* shared) const {
#pragma unroll
        for (int k = 0; k < fours; ++k) {
            const Spot spot(k);
            const int place = DepthContiguous ? spot.other * stride + spot.depth : spot.depth * stride + spot.other;
            store(shared + place, next[k]);
        }
    }

    /// Four of the depth for the rows or columns `first`, `first` + 1, … (at most Count): x[d][k].
    template <int Count>
    __device__ __forceinline__ static void take(const float* shared, int number, int depth, float (&x)[4][Count]) {
        if constexpr (DepthContiguous) {
#pragma unroll
            for (int k = 0; k < Count; ++k) {
                float four[4];
                load(shared + index(number, k) * stride + depth, four);
#pragma unroll
                for (int d = 0; d < 4; ++d) x[d][k] = four[d];
            }
        } else {
#pragma unroll
            for (int d = 0; d < 4; ++d) {
#pragma unroll
                for (int k = 0; k < Count; k += 4) {
                    float four[4];
                    load(shared + (depth + d) * stride + index(number, k), four);
#pragma unroll
                    for (int c = 0; c < 4; ++c) x[d][k + c] = four[c];
                }
            }
        }
    }

    /// Which row or column is number k of thread `number` of 8. Side by side where fours are read along this side;
    /// otherwise 8 apart, so that eight threads read from different banks.
    __device__ __forceinline__ static int index(int number, int k) {
        if constexpr (DepthContiguous) return number + 8 * k;
        return k / 4 * 32 + number * 4 + k % 4;
    }

private:
    struct Spot {
        int other;
        int depth;

        __device__ __forceinline__ explicit Spot(int k) {
            constexpr int along = (DepthContiguous ? product_depth : Size) / 4;
            const int number = static_cast<int>(threadIdx.x) + k * product_threads;
            const int four = number % along * 4;
            other = DepthContiguous ? number / along : four;
            depth = DepthContiguous ? four : number / along;
        }
    };
};

/// Numbers of shared memory that `multiply` needs.
template <class A, class B>
inline constexpr int product_floats =
    A::floats + B::floats > product_groups* A::size* product_columns ? A::floats + B::floats
                                                                     : product_groups* A::size* product_columns;

/// Multiplies and gives four neighbouring numbers of a row at a time to `finish(row, column, sums)`, every row and
/// column of the tile once. `also(a)` sees what the thread reads of A: (4 of the depth, its rows).
template <class A, class B, class PlaceA, class PlaceB, class Also, class Finish>
__device__ __forceinline__ void multiply(float* shared, int depth, const PlaceA& place_a, const PlaceB& place_b,
                                         const Also& also, const Finish& finish) {
    constexpr int rows = A::size / 8;
    constexpr int share = product_depth / product_groups;
    const int thread = static_cast<int>(threadIdx.x);
    const int group = thread / 64;
    const int in_row = thread % 64 / 8;
    const int in_column = thread % 8;
    float* shared_a = shared;
    float* shared_b = shared + A::floats;
    A side_a;
    B side_b;
    float sums[rows][4] = {};
    side_a.fetch(0, depth, place_a);
    side_b.fetch(0, depth, place_b);
    for (int begin = 0; begin < depth; begin += product_depth) {
        __syncthreads();
        side_a.put(shared_a);
        side_b.put(shared_b);
        __syncthreads();
        if (begin + product_depth < depth) {
            side_a.fetch(begin + product_depth, depth, place_a);
            side_b.fetch(begin + product_depth, depth, place_b);
        }
#pragma unroll
        for (int d = 0; d < share; d += 4) {
            float a[4][rows];
            float b[4][4];
            A::take(shared_a, in_row, group * share + d, a);
            B::take(shared_b, in_column, group * share + d, b);
            also(a);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
#pragma unroll
                for (int r = 0; r < rows; ++r) {
#pragma unroll
                    for (int c = 0; c < 4; ++c) sums[r][c] = fmaf(a[k][r], b[k][c], sums[r][c]);
                }
            }
        }
    }
    __syncthreads();
    constexpr int tile = A::size * product_columns;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const int place = A::index(in_row, r) * product_columns + B::index(in_column, c);
            shared[group * tile + place] = sums[r][c];
        }
    }
    __syncthreads();
    for (int k = thread * 4; k < tile; k += product_threads * 4) {
        float total[4];
        load(shared + k, total);
#pragma unroll
        for (int g = 1; g < product_groups; ++g) {
            float part[4];
            load(shared + g * tile + k, part);
#pragma unroll
            for (int c = 0; c < 4; ++c) total[c] += part[c];
        }
        finish(k / product_columns, k % product_columns, total);
    }
}

}  // namespace neuroprim::train::cuda
