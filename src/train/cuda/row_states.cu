#include "train/cuda/limits.cuh"

namespace neuroprim::train::cuda {

namespace {

constexpr int threads = 128;

/// Writes what the open rows of a step have left, a lane per row. `facts` is (32, row_facts) of the warp's own: from
/// there neighbouring lanes write neighbouring numbers.
__device__ __forceinline__ void write_rows(const RowStates& call, const GraphLimits& limits, const RowUse& use,
                                           bool is_open, long long first_row, int lane, float* facts) {
    const unsigned open = __ballot_sync(all_lanes, is_open);
    if (open == 0) return;
    if (is_open && call.length_left != nullptr) {
        call.length_left[first_row + lane] = left_of(limits.length_limit, use.length);
    }
    if (is_open && call.load_left != nullptr) {
        call.load_left[first_row + lane] = left_of(limits.capacity, use.load);
    }
    if (call.facts == nullptr) return;
    if (is_open) {
        float own[row_facts];
        use.write_facts(limits, own);
        store(facts + lane * row_facts, own);
    }
    __syncwarp();
    constexpr int pairs = row_facts / 2;
    float2* to = reinterpret_cast<float2*>(call.facts + first_row * row_facts);
    for (int k = lane; k < 32 * pairs; k += 32) {
        if ((open >> (k / pairs) & 1u) != 0) to[k] = reinterpret_cast<const float2*>(facts)[k];
    }
    __syncwarp();
}

/// A block per trajectory goes through its steps; a thread keeps what some vertices have used.
__global__ void __launch_bounds__(threads, 10) follow(const __grid_constant__ RowStates call) {
    extern __shared__ float shared[];
    __shared__ __align__(16) float facts[threads * row_facts];
    const int n = call.sizes.n;
    const int steps = n - 1;
    const long long b = blockIdx.x;
    const GraphLimits limits(call.limits, b / call.sizes.per_graph, n);
    RowUse* uses = reinterpret_cast<RowUse*>(shared);     // (n)
    float* loads = reinterpret_cast<float*>(uses + n);    // (n) of the branch that begins here
    short* branch = reinterpret_cast<short*>(loads + n);  // (n); −1 outside
    std::uint8_t* apart = call.limits.distances == nullptr ? nullptr : call.limits.distances + b * n * n;
    const int start = static_cast<int>(call.start[b]);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int length = min(call.times.lengths[b], steps);
    for (int w = static_cast<int>(threadIdx.x); w < n; w += threads) {
        uses[w] = RowUse{};
        uses[w].is_start = w == start;
        if (w == start) uses[w].degree = call.limits.start_degree;
        loads[w] = 0;
        branch[w] = static_cast<short>(w == start ? start : -1);
        if (apart != nullptr && w == start) apart[start * n + start] = 0;
    }
    __syncthreads();
    for (int t = 0; t < length; ++t) {
        const long long row = (b * steps + t) * n;
        for (int first = static_cast<int>(threadIdx.x) - lane; first < n; first += threads) {
            const int w = first + lane;
            const bool is_open = w < n && branch[w] >= 0 && call.times.close[b * n + w] > t;
            RowUse use;
            if (is_open) {
                use = uses[w];
                use.load = loads[branch[w]];
            }
            write_rows(call, limits, use, is_open, row + first, lane, facts + (threadIdx.x - lane) * row_facts);
        }
        __syncthreads();
        const int u = static_cast<int>(call.sources[b * steps + t]);
        const int v = static_cast<int>(call.targets[b * steps + t]);
        int farthest = 0;
        if (apart != nullptr) {
            for (int w = static_cast<int>(threadIdx.x); w < n; w += threads) {
                if (branch[w] < 0) continue;
                const int distance = apart[u * n + w] + 1;
                apart[v * n + w] = apart[w * n + v] = static_cast<std::uint8_t>(min(distance, 255));
                uses[w].eccentricity = max(uses[w].eccentricity, distance);
                farthest = max(farthest, distance);
            }
            if (threadIdx.x == 0) apart[v * n + v] = 0;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            ++uses[u].degree;
            uses[v].degree = 1;
            uses[v].depth = uses[u].depth + 1;
            if (limits.limits_lengths()) {
                uses[v].length = __fadd_rn(uses[u].length, limits.weight(u, v));
            }
            branch[v] = u == start ? static_cast<short>(v) : branch[u];
            if (limits.capacity > 0) loads[branch[v]] = __fadd_rn(loads[branch[v]], limits.demands[v]);
        }
        if (apart != nullptr) atomicMax(&uses[v].eccentricity, farthest);
        __syncthreads();
    }
}

}  // namespace

void row_states(const RowStates& call, cudaStream_t stream) {
    if (call.sizes.is_empty()) return;
    const std::size_t bytes =
        static_cast<std::size_t>(call.sizes.n) * (sizeof(RowUse) + sizeof(float) + sizeof(short));
    allow_shared_memory(follow, bytes);
    follow<<<call.sizes.trajectories(), threads, bytes, stream>>>(call);
    check_launch("row states");
}

}  // namespace neuroprim::train::cuda
