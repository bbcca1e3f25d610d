#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "search/windows/window_problem.hpp"
#include "search/windows/window_trees.hpp"

namespace neuroprim {

/// Samples of a window beside its greedy trees: the encoder, which they share, takes longer.
inline constexpr std::size_t samples_of_windows = 16;

struct WindowOptions {
    std::size_t size = 100;   ///< vertices of a window, at most
    std::size_t starts = 0;   ///< trees that grow in a window without a root; 0: as many as are worth their time
    int augmentations = 1;    ///< symmetries of the square that each window is seen under
    std::size_t samples = 0;  ///< sampled trees besides the greedy ones, from the same starts
    std::uint64_t seed = 0;
    int threads = 1;  ///< changes the time only, never the answer
};

/// How a pass looks at a window, without the starts: each under other symmetries of the square. `stream` tells the
/// window from all others, of this pass and of others.
[[nodiscard]] WindowLook look_of_pass(const WindowOptions& options, int pass, std::uint64_t stream);

/// Can the windows of such a problem be told as problems of their own? Not where there is a rule or a cost as code,
/// nor where traffic between all pairs of vertices is paid for.
[[nodiscard]] bool has_windows(const Problem& problem);

/// Improves a tree of any size by a policy that sees a few hundred vertices at most: cuts it into windows, has each
/// of them grown anew with the rest of the tree held in place, and keeps what is better.
class WindowRebuilding {
public:
    /// The tree must be feasible. `policy` and `problem` must outlive it. Throws Interrupted.
    WindowRebuilding(const Policy& policy, const Problem& problem, Tree tree, const WindowOptions& options,
                     const StopToken& stop);

    /// Rebuilds every window once; each pass cuts the tree elsewhere and sees it under another symmetry. Says by how
    /// much the tree became cheaper. What is done when the stop token expires stays.
    double pass(const StopToken& stop);

    [[nodiscard]] const Tree& tree() const { return tree_; }

    /// Goes on from another feasible tree: further passes cut it elsewhere than those before.
    void adopt(const Tree& tree) { tree_ = tree; }

private:
    [[nodiscard]] std::size_t tree_vertices() const;
    [[nodiscard]] bool looks_at_all() const;
    [[nodiscard]] bool knows_whole() const;
    [[nodiscard]] std::vector<TreeWindow> windows_of(const RootedTree& tree, const WindowCut& cut) const;
    [[nodiscard]] std::vector<std::vector<Vertex>> joining(const HangingTree& tree,
                                                           const std::vector<TreeWindow>& windows) const;
    /// The policy's best tree of a window, or of all, where it is cheaper than this one. `stream` tells the look from
    /// all others, of this pass and of others.
    [[nodiscard]] std::optional<Tree> cheaper(const Problem& problem, const Tree& tree,
                                              std::span<const Point> seen_at, std::uint64_t stream, int threads,
                                              const StopToken& stop) const;
    [[nodiscard]] std::optional<Tree> rebuilt(const WindowProblem& window, std::uint64_t stream,
                                              const StopToken& stop) const;
    double rebuild_windows(const HangingTree& hanging, const StopToken& stop);
    [[nodiscard]] std::optional<Tree> rebuilt_around(Vertex centre, std::uint64_t stream,
                                                     const StopToken& stop) const;
    double rebuild_whole(const StopToken& stop);
    double rebuild_level(const std::vector<TreeWindow>& windows, const std::vector<std::size_t>& level,
                         const std::vector<std::vector<Vertex>>& joining, const std::vector<Vertex>& roots,
                         const StopToken& stop);

    const Policy* policy_;
    const Problem* problem_;
    Tree tree_;
    WindowOptions options_;
    std::vector<Vertex> rank_;                       // (n) along a curve; empty without positions
    std::optional<Neighbours> near_;                 // where vertices may be left out
    std::vector<std::vector<Vertex>> group_mates_;   // by group
    std::optional<std::size_t> branch_window_size_;  // where windows hold whole branches
    int passes_ = 0;
    int passes_in_vain_ = 0;  // in a row
    std::size_t looks_at_whole_ = 0;
};

}  // namespace neuroprim
