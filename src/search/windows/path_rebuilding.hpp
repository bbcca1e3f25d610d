#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "search/windows/path_window.hpp"
#include "search/windows/window_rebuilding.hpp"

namespace neuroprim {

/// Paths in complete graphs.
[[nodiscard]] bool has_path_windows(const Problem& problem);

/// Improves a path of any size by a policy that sees a few dozen vertices: those around a place are joined anew,
/// however often the path comes by, with the rest of it held in place.
class PathRebuilding {
public:
    /// The tree must be a path. `policy` and `problem` must outlive it. Takes all options but the size of windows.
    /// Throws Interrupted.
    PathRebuilding(const Policy& policy, const Problem& problem, const Tree& tree, const WindowOptions& options,
                   const StopToken& stop);

    /// Rebuilds windows around vertices drawn at random, till no other has room beside them; each pass sees them
    /// under another symmetry. Says by how much the path became shorter. What is done when the stop token expires
    /// stays.
    double pass(const StopToken& stop);

    [[nodiscard]] Tree tree() const;

private:
    struct Change;

    double rebuild(const std::deque<PathWindow>& group, const StopToken& stop);
    /// `stream` tells the window from all others.
    [[nodiscard]] Change rebuilt(const PathWindow& window, std::uint64_t stream, const StopToken& stop) const;
    double keep(std::vector<Change> changes);

    const Policy* policy_;
    const Problem* problem_;
    WindowOptions options_;
    PlacedPath path_;
    Neighbours near_;
    int passes_ = 0;
    std::uint64_t windows_ = 0;
};

}  // namespace neuroprim
