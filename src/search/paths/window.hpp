#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::paths {

/// A path through all points, and where each point stands in it.
struct PlacedPath {
    std::vector<Vertex> order;  // (n)
    std::vector<Vertex> place;  // (n)
};

/// How a path is cut into windows of consecutive vertices. The first one may be shorter, and so may the last.
class Partition {
public:
    /// Windows of `size` vertices, the first of which ends at place `offset`, 0 < offset ≤ size.
    Partition(Vertex n, Vertex size, Vertex offset) : n_(n), size_(size), offset_(offset) {}

    [[nodiscard]] Vertex count() const { return window_of(n_ - 1) + 1; }
    [[nodiscard]] Vertex begin(Vertex window) const { return window == 0 ? 0 : offset_ + (window - 1) * size_; }
    [[nodiscard]] Vertex end(Vertex window) const { return std::min(n_, offset_ + window * size_); }
    [[nodiscard]] Vertex window_of(Vertex place) const { return place < offset_ ? 0 : 1 + (place - offset_) / size_; }

private:
    Vertex n_;
    Vertex size_;
    Vertex offset_;
};

/// What a window is part of: read by many windows at the same time.
struct WindowSetting {
    const Weights* weights;  ///< points
    const Neighbours* near;
    const PlacedPath* path;
    Partition partition;
    const Partition* before;  ///< windows in which no move was left; null: look at all vertices
};

struct WindowResult {
    double gained = 0;               ///< by how much the window got shorter
    std::int64_t perturbations = 0;  ///< done
};

/// Takes one window out as a path of its own, with points, neighbours and places numbered along it, so that the work
/// stays in the cache. Ends that the rest of the path hangs on stay ends. Descends till no vertex has a move left,
/// then perturbs so many times; a stop token that expires ends it early. Writes the vertices in their new order to
/// `order`.
WindowResult improve_window(const WindowSetting& setting, Vertex window, std::int64_t perturbations, Random random,
                            const StopToken& stop, std::span<Vertex> order);

}  // namespace neuroprim::paths
