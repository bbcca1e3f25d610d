#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"
#include "search/paths/window.hpp"

namespace neuroprim::paths {

/// One long path that all threads improve together, in windows that share no vertex (window.hpp).
///
/// The first rounds descend: in small windows, then in larger ones for what crosses their borders, at last in one
/// that holds the whole path. Later rounds perturb in small windows, whose borders lie elsewhere each time. What is
/// in a window, and its random numbers, depends on round, size and seed, so the path does not depend on the number of
/// threads.
class WindowedPath {
public:
    /// `order` is the path; points only.
    WindowedPath(const Weights& weights, const Neighbours& near, std::vector<Vertex> order);

    /// One round with so many perturbations in all, if it is one that perturbs. Returns how many were done: fewer
    /// when the stop token expired first. The path is then as good as it got.
    std::int64_t run_round(std::int64_t perturbations, std::uint64_t seed, int threads, const StopToken& stop);

    /// Has the path been descended in windows of every size?
    [[nodiscard]] bool settled() const { return level_ == sizes_.size(); }

    [[nodiscard]] const std::vector<Vertex>& order() const { return path_.order; }

    /// How much shorter the path is than at the beginning.
    [[nodiscard]] double gained() const { return gained_; }

private:
    [[nodiscard]] Partition next_partition() const;

    const Weights* weights_;
    const Neighbours* near_;
    PlacedPath path_;
    std::vector<Vertex> next_order_;  // (n) of the round in hand
    std::vector<Vertex> sizes_;       // of the windows in which it descends, in turn
    std::size_t level_ = 0;           // of them in hand
    std::uint64_t rounds_ = 0;
    std::optional<Partition> before_;  // of the last round
    double gained_ = 0;
};

}  // namespace neuroprim::paths
