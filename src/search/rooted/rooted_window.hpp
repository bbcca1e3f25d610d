#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/rooted/resource_tree.hpp"
#include "search/rooted/tree_snapshot.hpp"
#include "search/rooted/window_cells.hpp"
#include "search/window_effort.hpp"

namespace neuroprim::rooted {

/// Can parts of the trees of this problem be told as small trees of their own? Where prices depend on loads, branches
/// share a capacity, vertices may stay outside or edges may not cross, too much of the rest would have to be known.
[[nodiscard]] bool has_rooted_windows(const Problem& problem);

/// What windows are part of: read by many of them at the same time.
struct WindowSetting {
    const Problem* problem;
    const Neighbours* near;
    const TreeSnapshot* tree;
    const WindowCells* cells;
};

/// What a window did to its tree.
struct WindowChange {
    struct Move {
        Vertex v;
        Vertex parent;
    };
    std::vector<Move> moves;  ///< who hangs elsewhere now, in the whole tree
    double gain = 0;          ///< what that saves
    std::int64_t steps = 0;   ///< done
};

/// Some vertices of a large tree, taken out with what they need of the rest: the vertices near them and those above.
/// Only the edges above those inner vertices may change. The work stays in the cache, and a vertex of a deep tree has
/// few others above it here. Nearly O(size of the window) to make.
///
/// Windows may be searched at the same time. What is left of the degree of a vertex belongs to its own window, and a
/// vertex from which others hang goes no farther from the root than it is. So they seldom break a limit together, and
/// `merged` mends that.
class RootedWindow {
public:
    /// The setting must outlive it.
    RootedWindow(const WindowSetting& setting, Vertex number);
    RootedWindow(const RootedWindow&) = delete;
    RootedWindow& operator=(const RootedWindow&) = delete;

    /// Ruin and recreate in the window. The tree keeps its limits with these moves, if nothing else changes.
    [[nodiscard]] WindowChange improve(const WindowEffort& effort, Random random, const StopToken& stop) const;

private:
    void gather_vertices();
    void contract();
    void describe();
    [[nodiscard]] bool is_inner(Vertex v) const { return setting_->cells->cell[index(v)] == number_; }
    [[nodiscard]] Vertex local(Vertex v) const;  // or no_vertex

    const WindowSetting* setting_;
    Vertex number_;
    std::vector<Vertex> vertices_;  // of the whole tree, increasing
    std::vector<Vertex> seeds_;     // those whose edges may change
    std::vector<Vertex> parent_;
    Contraction contraction_;
    Instance instance_;
    std::unique_ptr<const Problem> problem_;
    std::unique_ptr<const Neighbours> near_;
};

}  // namespace neuroprim::rooted
