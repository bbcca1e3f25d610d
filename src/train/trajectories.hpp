#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace neuroprim::train {

/// Larger than every step: the time of what never happens.
inline constexpr std::int32_t never = 1 << 30;

/// B = G·N trees that grew on G graphs of n vertices; trajectory b belongs to graph b / N.
///
/// Step t = 0 … lengths[b] − 1 joins targets[b][t] through sources[b][t]. Two numbers per vertex replace every mask:
/// the edge (u, v) is open at step t exactly when enter[u] ≤ t < close[u] and enter[v] > t. So the start enters at 0,
/// the vertex that step t joins enters at t + 1, and a vertex whose last room step t takes closes at t + 1; one that
/// joins without room closes when it enters. Limits on pairs (`Resources`) close more.
struct Trajectories {
    at::Tensor start;    // (B) int64
    at::Tensor sources;  // (B, T) int64, T = n − 1; 0 after the end
    at::Tensor targets;  // (B, T) int64; 0 after the end
    at::Tensor lengths;  // (B) int32: steps taken, n − 1 except for Steiner trees
    at::Tensor enter;    // (B, n) int32, `never` for vertices left out
    at::Tensor close;    // (B, n) int32, `never` for vertices that keep room, also for those left out
    at::Tensor costs;    // (B) float32: what the problem's cost says about the pruned tree; a dead end costs more
    at::Tensor missing;  // (B) int32: how many vertices or groups that must be in a dead end kept out

    [[nodiscard]] std::int64_t size() const { return start.size(0); }
    [[nodiscard]] std::int64_t vertices() const { return enter.size(1); }

    static constexpr at::Tensor Trajectories::*members[] = {
        &Trajectories::start, &Trajectories::sources, &Trajectories::targets, &Trajectories::lengths,
        &Trajectories::enter, &Trajectories::close,   &Trajectories::costs,   &Trajectories::missing};

    /// Every tensor through `change`.
    template <class Change>
    [[nodiscard]] Trajectories changed(Change&& change) const {
        Trajectories result;
        for (const auto member : members) result.*member = change(this->*member);
        return result;
    }
};

/// G complete graphs on points in the unit square. What the rules do not ask for is undefined.
struct Graphs {
    at::Tensor points;         // (G, n, 2) float
    at::Tensor terminals;      // (G, n) bool: the vertices that must be in the tree
    at::Tensor demands;        // (G, n) float, where there is a capacity
    at::Tensor prizes;         // (G, n) float, where vertices are optional
    at::Tensor groups;         // (G, n) int64, where one vertex of each group is to be in
    at::Tensor roots;          // (G) int64, where trees grow from a root
    at::Tensor length_limits;  // (G) float, where ways from the root are limited
    at::Tensor weights;        // (G, n, n) float, zeros on the diagonal; undefined: all are straight distances

    [[nodiscard]] std::int64_t size() const { return points.size(0); }
    [[nodiscard]] std::int64_t vertices() const { return points.size(1); }

    static constexpr at::Tensor Graphs::*members[] = {&Graphs::points,        &Graphs::terminals, &Graphs::demands,
                                                      &Graphs::prizes,        &Graphs::groups,    &Graphs::roots,
                                                      &Graphs::length_limits, &Graphs::weights};

    /// Every tensor that is defined through `change`.
    template <class Change>
    [[nodiscard]] Graphs changed(Change&& change) const {
        Graphs result;
        for (const auto member : members) {
            if ((this->*member).defined()) result.*member = change(this->*member);
        }
        return result;
    }

    [[nodiscard]] Graphs on(c10::Device device) const {
        return changed([&](const at::Tensor& x) { return x.to(device); });
    }
};

/// How actions are chosen. What trajectory b draws at step t depends only on (seed, first + b, t), so that processes
/// that share a batch draw what one process alone would draw.
struct Choice {
    bool greedy = false;  ///< the open edge of highest score, ties to the smaller (u, v)
    std::uint64_t seed = 0;
    std::int64_t first = 0;  ///< number of the first trajectory in the whole batch
};

}  // namespace neuroprim::train
