#pragma once

#include <cuda_runtime.h>

#ifdef NEUROPRIM_ROLLOUT_CLOCK
#include <cstdio>
#endif

/// Where the first warp of a rollout spends its time. Compiled in with NEUROPRIM_ROLLOUT_CLOCK only; then the first
/// tree of each launch prints its cycles.
namespace neuroprim::train::cuda {

enum class Phase { past, past_wait, edges, edges_wait, query, query_wait, score, score_wait, choice, count };

#ifdef NEUROPRIM_ROLLOUT_CLOCK

class PhaseClock {
public:
    __device__ PhaseClock() : last_(clock64()) {}

    /// What has passed since the last call belongs to `phase`.
    __device__ void lap(Phase phase) {
        const long long now = clock64();
        cycles_[static_cast<int>(phase)] += now - last_;
        last_ = now;
    }

    __device__ void print(int steps) const {
        const long long* c = cycles_;
        printf(
            "cycles of %d steps: past %lld + %lld, edges %lld + %lld, query %lld + %lld, score %lld + %lld, choice "
            "%lld\n",
            steps, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]);
    }

private:
    long long last_;
    long long cycles_[static_cast<int>(Phase::count)] = {};
};

#else

class PhaseClock {
public:
    __device__ __forceinline__ void lap(Phase) {}
    __device__ __forceinline__ void print(int) const {}
};

#endif

}  // namespace neuroprim::train::cuda
