#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

/// What the kernels share: wide loads, sums over lanes, the running softmax, the walk over open edges.
namespace neuroprim::train::cuda {

inline constexpr unsigned all_lanes = 0xffffffffu;
inline constexpr float log2_e = 1.4426950408889634f;
inline constexpr float ln_2 = 0.6931471805599453f;

/// A score below every real one, and still a number: the difference of two of them is zero.
inline constexpr float lowest = -1e30f;

inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

inline void check_launch(const char* what) {
    check(cudaGetLastError(), what);
}

/// Lets a kernel use more than 48 KB of shared memory per block, those that it declares itself included.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
    if (bytes > 32 * 1024) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
              "shared memory");
    }
}

__device__ __forceinline__ float exp2_fast(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// To about 1e-7 absolute; exp(2x) may overflow to infinity, whose reciprocal is zero.
__device__ __forceinline__ float tanh_fast(float x) {
    return 1.0f - __fdividef(2.0f, 1.0f + exp2_fast(fminf(2.0f * log2_e * x, 126.0f)));
}

template <int N>
__device__ __forceinline__ void load(const float* from, float (&to)[N]) {
    if constexpr (N % 4 == 0) {
#pragma unroll
        for (int k = 0; k < N / 4; ++k) {
            const float4 four = reinterpret_cast<const float4*>(from)[k];
            to[4 * k] = four.x;
            to[4 * k + 1] = four.y;
            to[4 * k + 2] = four.z;
            to[4 * k + 3] = four.w;
        }
    } else if constexpr (N % 2 == 0) {
#pragma unroll
        for (int k = 0; k < N / 2; ++k) {
            const float2 two = reinterpret_cast<const float2*>(from)[k];
            to[2 * k] = two.x;
            to[2 * k + 1] = two.y;
        }
    } else {
#pragma unroll
        for (int k = 0; k < N; ++k) to[k] = from[k];
    }
}

template <int N>
__device__ __forceinline__ void store(float* to, const float (&from)[N]) {
    if constexpr (N % 4 == 0) {
#pragma unroll
        for (int k = 0; k < N / 4; ++k) {
            reinterpret_cast<float4*>(to)[k] =
                make_float4(from[4 * k], from[4 * k + 1], from[4 * k + 2], from[4 * k + 3]);
        }
    } else if constexpr (N % 2 == 0) {
#pragma unroll
        for (int k = 0; k < N / 2; ++k) {
            reinterpret_cast<float2*>(to)[k] = make_float2(from[2 * k], from[2 * k + 1]);
        }
    } else {
#pragma unroll
        for (int k = 0; k < N; ++k) to[k] = from[k];
    }
}

template <int N>
__device__ __forceinline__ float dot(const float (&a)[N], const float (&b)[N]) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < N; ++k) sum = fmaf(a[k], b[k], sum);
    return sum;
}

template <int Size>
__device__ __forceinline__ void scale(float (&x)[Size], float factor) {
#pragma unroll
    for (int c = 0; c < Size; ++c) x[c] *= factor;
}

/// Sum over the lanes that differ in the bits From, 2·From, …, To; every one of them gets it.
template <int From, int To>
__device__ __forceinline__ float sum_over(float x) {
#pragma unroll
    for (int bit = From; bit <= To; bit *= 2) x += __shfl_xor_sync(all_lanes, x, bit);
    return x;
}

/// Sums N numbers over the lanes that differ in the bits Bit, Bit/2, …, Last; lanes split the work, so that each ends
/// with a part of the totals in x[0 …]. Returns which part: those from number `returned · kept` on, where
/// kept = max(1, N / lanes).
template <int Bit, int Last, int N>
__device__ __forceinline__ int scatter_sums(float (&x)[N], int lane, int part = 0) {
    if constexpr (Bit < Last) {
        return part;
    } else if constexpr (N == 1) {
        x[0] += __shfl_xor_sync(all_lanes, x[0], Bit);
        return scatter_sums<Bit / 2, Last>(x, lane, part);
    } else {
        const bool upper = (lane & Bit) != 0;
        float half[N / 2];
#pragma unroll
        for (int k = 0; k < N / 2; ++k) {
            const float keep = upper ? x[k + N / 2] : x[k];
            const float give = upper ? x[k] : x[k + N / 2];
            half[k] = keep + __shfl_xor_sync(all_lanes, give, Bit);
        }
        part = scatter_sums<Bit / 2, Last>(half, lane, 2 * part + (upper ? 1 : 0));
#pragma unroll
        for (int k = 0; k < N / 2; ++k) x[k] = half[k];
        return part;
    }
}

/// Softmax-weighted sum of values with a running maximum; scores are in units of log2.
template <int Size>
struct RunningSoftmax {
    float top = lowest;
    float sum = 0;
    float total[Size] = {};

    template <int Count>
    __device__ __forceinline__ void add(const float (&scores)[Count], const float (&values)[Count][Size]) {
        float higher = top;
#pragma unroll
        for (int k = 0; k < Count; ++k) higher = fmaxf(higher, scores[k]);
        scale(higher);
#pragma unroll
        for (int k = 0; k < Count; ++k) {
            const float weight = exp2_fast(scores[k] - top);
            sum += weight;
#pragma unroll
            for (int c = 0; c < Size; ++c) total[c] = fmaf(weight, values[k][c], total[c]);
        }
    }

    /// Joins the parts of the lanes that differ in the bits From … To.
    template <int From, int To>
    __device__ __forceinline__ void join() {
        float highest = top;
#pragma unroll
        for (int bit = From; bit <= To; bit *= 2) {
            highest = fmaxf(highest, __shfl_xor_sync(all_lanes, highest, bit));
        }
        scale(highest);
        sum = sum_over<From, To>(sum);
#pragma unroll
        for (int c = 0; c < Size; ++c) total[c] = sum_over<From, To>(total[c]);
    }

    __device__ __forceinline__ void scale(float to) {
        const float factor = exp2_fast(top - to);
        sum *= factor;
#pragma unroll
        for (int c = 0; c < Size; ++c) total[c] *= factor;
        top = to;
    }
};

/// The open edges of one step, numbered row by row: rows[0 … row_count) × columns[0 … column_count).
struct OpenEdges {
    const short* rows;
    const short* columns;
    int row_count;
    int column_count;

    __device__ __forceinline__ int size() const { return row_count * column_count; }
};

/// Walks over edges first, first + stride, … without a division per edge; both are less than 2^20.
class EdgeWalk {
public:
    __device__ __forceinline__ EdgeWalk(const OpenEdges& edges, int first, int stride)
        : edges_(edges), number_(first), stride_(stride) {
        const int columns = max(edges.column_count, 1);
        // Exact for all numbers of up to 20 bits: a quotient is at least half a column from being another one.
        const float share = __fdividef(1.0f, static_cast<float>(columns));
        row_ = static_cast<int>((static_cast<float>(first) + 0.5f) * share);
        column_ = first - row_ * columns;
        row_step_ = static_cast<int>((static_cast<float>(stride) + 0.5f) * share);
        column_step_ = stride - row_step_ * columns;
    }

    __device__ __forceinline__ bool valid() const { return number_ < edges_.size(); }

    /// Number of the edge in an n × n table; zero, which is safe to read, past the end.
    __device__ __forceinline__ int place(int n) const {
        return valid() ? edges_.rows[row_] * n + edges_.columns[column_] : 0;
    }

    /// Its ends, where it is valid; zero, which is safe to read, past the end.
    __device__ __forceinline__ int source() const { return valid() ? edges_.rows[row_] : 0; }
    __device__ __forceinline__ int target() const { return valid() ? edges_.columns[column_] : 0; }

    /// Their places in the lists of rows and columns.
    __device__ __forceinline__ int row() const { return row_; }
    __device__ __forceinline__ int column() const { return column_; }

    __device__ __forceinline__ void advance() {
        number_ += stride_;
        row_ += row_step_;
        column_ += column_step_;
        if (column_ >= edges_.column_count) {
            column_ -= edges_.column_count;
            ++row_;
        }
    }

private:
    const OpenEdges& edges_;
    int number_;
    int stride_;
    int row_;
    int column_;
    int row_step_;
    int column_step_;
};

/// Multi-head attention of one query over open edges. Lane h + H·k of a warp serves head h; `first` and `stride`
/// count edges. Keys and values are those of one graph.
template <int D, int H>
__device__ __forceinline__ void attend(RunningSoftmax<D / H>& softmax, const float (&query)[D / H],
                                       const float* __restrict__ keys, const float* __restrict__ values, int n,
                                       const OpenEdges& edges, int first, int stride, int head) {
    constexpr int size = D / H;
    constexpr int batch = size <= 4 ? 4 : 2;
    EdgeWalk walk(edges, first, stride);
    while (walk.valid()) {
        float scores[batch];
        float read[batch][size];
        float weighed[batch][size];
        bool valid[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            valid[k] = walk.valid();
            const int place = walk.place(n) * D + head * size;
            load(keys + place, read[k]);
            load(values + place, weighed[k]);
            walk.advance();
        }
#pragma unroll
        for (int k = 0; k < batch; ++k) scores[k] = valid[k] ? dot(query, read[k]) : -INFINITY;
        softmax.add(scores, weighed);
    }
}

}  // namespace neuroprim::train::cuda
