#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace neuroprim {

/// How long a part of a large tree is searched.
struct WindowEffort {
    std::int64_t steps = 0;
    bool anneals = false;  ///< otherwise it descends
    double heat = 0;       ///< what temperatures are measured by; 0: the mean cost per vertex
};

/// Windows that are searched side by side hold a part of all n vertices, because what follows a round is O(n).
[[nodiscard]] inline std::size_t vertices_side_by_side(std::size_t n) {
    constexpr std::size_t batches_of_pass = 4;
    constexpr std::size_t least_batch = 64'000;
    return std::max(least_batch, n / batches_of_pass);
}

/// What the windows of the next batch get, and `next` the one after it: each so many steps for every vertex, till
/// they hold `batch` vertices or `steps` are given away.
template <class Windows>
[[nodiscard]] std::vector<WindowEffort> efforts_of_batch(const Windows& windows, std::size_t& next, std::size_t batch,
                                                         std::int64_t steps, std::int64_t steps_per_vertex,
                                                         bool anneals) {
    std::vector<WindowEffort> efforts;
    for (std::size_t taken = 0; next < windows.count() && taken < batch && steps > 0; ++next) {
        const std::size_t size = windows.of(next).size();
        const std::int64_t share = std::min(steps, static_cast<std::int64_t>(size) * steps_per_vertex);
        efforts.push_back({share, anneals});
        steps -= share;
        taken += size;
    }
    return efforts;
}

}  // namespace neuroprim
