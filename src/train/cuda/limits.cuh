#pragma once

#include "train/cuda/kernels.hpp"
#include "train/cuda/lanes.cuh"

/// Limits on rows and pairs, computed in the same way wherever they are asked for: a rollout and its replay must
/// agree on every edge, so no sum may be joined with a product differently in one of them.
namespace neuroprim::train::cuda {

inline constexpr float within_tolerance = 1.00001f;  // 1 + train::resource_tolerance

/// The weights of one graph: given ones, or straight distances.
class EdgeWeights {
public:
    __device__ EdgeWeights(const float* points, const float* given, long long graph, int n)
        : numbers_(given == nullptr ? points + graph * n * 2 : given + graph * n * n),
          n_(n),
          are_straight_(given == nullptr) {}

    [[nodiscard]] __device__ __forceinline__ float operator()(int u, int v) const {
        if (!are_straight_) return numbers_[u * n_ + v];
        const float2 a = reinterpret_cast<const float2*>(numbers_)[u];
        const float2 b = reinterpret_cast<const float2*>(numbers_)[v];
        const float x = __fsub_rn(a.x, b.x);
        const float y = __fsub_rn(a.y, b.y);
        return __fsqrt_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)));
    }

private:
    const float* numbers_;  // (n, 2) points, or (n, n) weights
    int n_;
    bool are_straight_;
};

/// What is left of a limit up to rounding.
__device__ __forceinline__ float left_of(float limit, float used) {
    return __fsub_rn(__fmul_rn(limit, within_tolerance), used);
}

/// The limits of one graph.
struct GraphLimits {
    int degree, hops, diameter;
    bool has_root;
    float capacity;
    float length_limit = 0;
    float unit = 1;
    float mean_demand = 1;
    float least_demand = 1;
    EdgeWeights weight;
    const float* demands = nullptr;
    const std::int64_t* groups = nullptr;

    __device__ GraphLimits(const Limits& limits, long long graph, int n)
        : degree(limits.degree),
          hops(limits.hops),
          diameter(limits.diameter),
          has_root(limits.has_root),
          capacity(limits.capacity),
          weight(limits.points, limits.edge_weights, graph, n) {
        if (limits.length_limits != nullptr) {
            length_limit = limits.length_limits[graph];
            unit = limits.units[graph];
        }
        if (capacity > 0) {
            demands = limits.demands + graph * n;
            mean_demand = limits.mean_demands[graph];
            least_demand = limits.least_demands[graph];
        }
        if (limits.groups != nullptr) groups = limits.groups + graph * n;
    }

    [[nodiscard]] __device__ bool limits_lengths() const { return length_limit > 0; }
};

/// What one tree vertex has used up.
struct RowUse {
    int degree = 0;
    int depth = 0;
    int eccentricity = 0;
    float length = 0;
    float load = 0;
    bool is_start = false;

    [[nodiscard]] __device__ bool has_residual_capacity(const GraphLimits& limits) const {
        return (limits.degree == 0 || degree < limits.degree) && (limits.hops == 0 || depth < limits.hops) &&
               (limits.diameter == 0 || eccentricity < limits.diameter) &&
               (limits.capacity == 0 || limits.least_demand <= left_of(limits.capacity, load));
    }

    __device__ void write_facts(const GraphLimits& limits, float (&facts)[row_facts]) const {
        constexpr int most_left = 8;
        const auto count = [&](int place, int limit, int used) {
            const int left = limit - used;
            facts[place] = limit > 0 ? 0.25f * static_cast<float>(min(left, most_left)) : 0.0f;
            facts[place + 1] = limit > 0 && left == 1 ? 1.0f : 0.0f;
            facts[place + 2] = limit > 0 && left == 2 ? 1.0f : 0.0f;
        };
        count(0, limits.hops, depth);
        count(3, limits.diameter, eccentricity);
        count(6, limits.degree, degree);
        const float way = limits.limits_lengths() ? limits.length_limit - length : 0.0f;
        facts[9] = way * limits.unit;
        facts[10] = limits.limits_lengths() ? way / limits.length_limit : 0.0f;
        const float space = limits.capacity > 0 ? limits.capacity - load : 0.0f;
        facts[11] = limits.capacity > 0 ? space / limits.capacity : 0.0f;
        facts[12] = 0.25f * fminf(space / limits.mean_demand, static_cast<float>(most_left));
        facts[13] = limits.has_root && is_start ? 1.0f : 0.0f;
    }
};

/// The pairs that are open at one step of a replay, for rows and columns that are.
struct OpenPairs {
    const float* length_left;  // (n)
    const float* load_left;    // (n)
    EdgeWeights weight;
    const float* demands;
    const std::int32_t* leave;
    int step;
    bool closes_any;  // asked first: most specifications close no pairs

    __device__ OpenPairs(const StepLimits& limits, const Sizes& sizes, long long b, int t)
        : weight(limits.points, limits.edge_weights, b / sizes.per_graph, sizes.n), step(t) {
        const long long n = sizes.n;
        const long long row = (b * (n - 1) + t) * n;
        const long long graph = b / sizes.per_graph;
        length_left = limits.length_left == nullptr ? nullptr : limits.length_left + row;
        load_left = limits.load_left == nullptr ? nullptr : limits.load_left + row;
        demands = limits.demands == nullptr ? nullptr : limits.demands + graph * n;
        leave = limits.leave == nullptr ? nullptr : limits.leave + b * n;
        closes_any = length_left != nullptr || load_left != nullptr || leave != nullptr;
    }

    [[nodiscard]] __device__ __forceinline__ bool has(int u, int v) const {
        if (!closes_any) return true;
        if (leave != nullptr && leave[v] <= step) return false;
        if (load_left != nullptr && demands[v] > load_left[u]) return false;
        return length_left == nullptr || weight(u, v) <= length_left[u];
    }
};

/// What the rows of one step add to the scores of one head; nothing where the policy has no such terms.
template <int H>
struct RowTerms {
    const float* terms;  // (n, H), from the head's number on

    __device__ RowTerms(const float* all, long long first_row, int head)
        : terms(all == nullptr ? nullptr : all + first_row * H + head) {}

    [[nodiscard]] __device__ __forceinline__ float of(int u) const { return terms == nullptr ? 0.0f : terms[u * H]; }
};

/// `attend` of lanes.cuh over the pairs that `is_open(u, v)`, with `term(u)` added to the scores, in units of log2.
template <int D, int H, class IsOpen, class Term>
__device__ __forceinline__ void attend_to_pairs(RunningSoftmax<D / H>& softmax, const float (&query)[D / H],
                                                const float* __restrict__ keys, const float* __restrict__ values,
                                                int n, const OpenEdges& edges, int first, int stride, int head,
                                                IsOpen&& is_open, Term&& term) {
    constexpr int size = D / H;
    constexpr int batch = size <= 4 ? 4 : 2;
    EdgeWalk walk(edges, first, stride);
    while (walk.valid()) {
        float scores[batch];
        float read[batch][size];
        float weighed[batch][size];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            const int u = walk.source();
            const int v = walk.target();
            scores[k] = walk.valid() && is_open(u, v) ? term(u) : -INFINITY;
            const int place = (u * n + v) * D + head * size;
            load(keys + place, read[k]);
            load(values + place, weighed[k]);
            walk.advance();
        }
#pragma unroll
        for (int k = 0; k < batch; ++k) scores[k] += dot(query, read[k]);
        softmax.add(scores, weighed);
    }
}

}  // namespace neuroprim::train::cuda
