#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace neuroprim::policy {

/// Weights of a linear layer are packed in panels of this many output columns: (panels, inputs, 16).
inline constexpr int panel_width = 16;

/// Softmax weights are summed in chunks of this many, so that a draw need not scan them all.
inline constexpr int chunk_size = 256;

/// Exponents above this are cut down to it: sums of terms below stay finite, whatever the values.
inline constexpr float highest_shifted_score = 100;

/// Attention of one query over records [key ; value] of 2·d_e floats each.
///
/// Inside keys, values, queries and results the channels are ordered (d_e/heads, heads): the vector lanes are the
/// heads, so any list of records can be visited without gathering numbers from different edges.
struct Attention {
    const float* records = nullptr;
    const std::int32_t* positions = nullptr;  // (count) which records; null for the first `count`
    int count = 0;
    const float* query = nullptr;  // (d_e) scaled so that scores are exponents of two
    const float* shift = nullptr;  // (heads) subtracted from scores, or null when they cannot overflow; what is left
                                   // is taken to lie between -126 and highest_shifted_score
    float* sums = nullptr;         // (heads + d_e) Σ 2^score, then Σ 2^score · value: added to what is there
    int heads = 0;
    int head_size = 0;
    bool is_far = false;  // the records come from memory rather than from a cache: ask for them in advance
};

/// How many records in advance: a few hundred nanoseconds of work.
inline constexpr int records_in_advance = 16;

/// Raw action scores query·key of some records of d_e floats.
struct Scoring {
    const float* records = nullptr;
    const std::int32_t* positions = nullptr;  // (count)
    int count = 0;
    const float* query = nullptr;  // (d_e)
    float* scores = nullptr;       // (count)
    int size = 0;                  // d_e
    bool is_far = false;           // as above
};

using AttendFunction = void (*)(const Attention&);
using ScoreFunction = float (*)(const Scoring&);

/// The arithmetic that takes all the time, compiled once per instruction set from one source.
struct Kernels {
    std::string_view name;

    /// C (m, n) = A (m, k) · W (k, n) + bias, negative results set to zero if `relu`. W packed, bias padded.
    void (*multiply)(const float* a, std::ptrdiff_t a_stride, int m, const float* panels, int k, int n,
                     const float* bias, bool relu, float* c, std::ptrdiff_t c_stride);

    /// Each row becomes 2^x / Σ 2^x.
    void (*softmax_rows)(float* x, std::ptrdiff_t stride, int rows, int columns);

    /// x = (x + y) · scale + shift, channel by channel: a residual and a folded batch norm.
    void (*add_scale_shift)(float* x, const float* y, const float* scale, const float* shift, int rows, int columns);

    /// x = layer_norm(x + y) · gain + bias.
    void (*add_layer_norm)(float* x, const float* y, const float* gain, const float* bias, int rows, int columns);

    /// out = max(a, b), number by number.
    void (*maximum)(const float* a, const float* b, float* out, int count);

    /// 16-bit floats, aligned or not, as 32-bit ones.
    void (*widen)(const std::byte* halves, std::size_t count, float* out);

    /// Fastest function for these sizes; any sizes work.
    AttendFunction (*attend_for)(int heads, int head_size);

    /// Largest score of each head over the records, kept in `sums` (heads) if larger than what is there.
    void (*largest_scores)(const Attention&);

    /// Fills `scores` and returns the largest.
    ScoreFunction (*score_for)(int size);

    /// weights[i] = 2^(scale·tanh(scores[i]) − top), and their sums by chunks. In place if both are the same.
    void (*weigh)(const float* scores, int count, float scale, float top, float* weights, float* chunk_sums);

    /// A loop of independent fused multiply-adds; returns how many floating-point operations it did.
    double (*burn)(int rounds, float* sink);
};

/// What this machine can run, fastest first; `portable` is always there.
[[nodiscard]] std::vector<const Kernels*> available_kernels();

/// The fastest, or the one that the environment variable NEUROPRIM_ISA names. Throws InputError when that is
/// unknown or this machine cannot run it.
[[nodiscard]] const Kernels& chosen_kernels();

extern const Kernels portable_kernels;
#ifdef NEUROPRIM_X86_KERNELS
extern const Kernels avx2_kernels;
extern const Kernels avx512_kernels;
#endif

}  // namespace neuroprim::policy
