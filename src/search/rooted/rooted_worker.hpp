#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/random.hpp"
#include "search/local_search.hpp"
#include "search/rooted/cycle_plan.hpp"
#include "search/rooted/path_recreate.hpp"
#include "search/rooted/resource_tree.hpp"
#include "search/rooted/ruin_recreate.hpp"
#include "search/window_effort.hpp"

namespace neuroprim::rooted {

/// Ruin and recreate under simulated annealing. It first descends at temperature zero, then anneals in cycles, each
/// twice as long as the one before and begun from the best tree, so that it needs no guess of the time it has. The
/// last one before a deadline is as long as the time allows. Where vertices may stay outside, what was cut off comes
/// back by paths.
class RootedWorker final : public SearchWorker {
public:
    /// What it is given must outlive it.
    RootedWorker(const Problem& problem, const Neighbours& near, Random random);

    /// For a tree that stands for a larger one: `seeds` are the vertices that it may change.
    RootedWorker(const Problem& problem, const Neighbours& near, Contraction contraction, std::vector<Vertex> seeds,
                 Random random);

    void adopt(const Tree& tree) override;

    /// The same for a tree told by parents.
    void adopt(Vertex root, std::span<const Vertex> parent, const WindowEffort& effort);
    std::int64_t run(std::int64_t steps, const StopToken& stop) override;
    void use_clock(bool uses) override { plan_.use_clock(uses); }
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override;

    /// Of the vertex in that tree.
    [[nodiscard]] Vertex parent(Vertex v) const { return hot_ == 0 ? now_.parent(v) : best_.parent[index(v)]; }

private:
    /// A tree by parents, and what was chosen for a limited diameter.
    struct Parents {
        Vertex root = no_vertex;
        Vertex twin = no_vertex;
        std::vector<Vertex> parent;  // (n)
    };

    /// Changes the tree at random, by more than `allowance` if need be; false when what came out is none.
    bool change(double allowance);
    bool exchange_near(Vertex v, double allowance);
    bool change_paths();
    bool promote(Vertex hub);
    bool move_centre();
    bool improve_from_centre(Vertex centre, Vertex twin);
    void improve_around(Vertex v, int steps);

    void note_changes();
    void take_changes();
    void keep_best();
    void begin_cycle(const StopToken& stop);
    void begin_annealing();
    void look_around_another_centre();
    [[nodiscard]] double temperature() const;

    const Problem* problem_;
    const Neighbours* near_;
    bool limits_hops_;
    bool exchanges_;
    bool has_centre_ = false;  // which moves
    Random random_;
    ResourceTree now_;
    RuinRecreate step_;
    std::optional<PathRecreate> paths_;  // where vertices may stay outside
    std::vector<Vertex> seeds_;          // what the tree is for: all, or terminals and vertices with prizes
    Parents best_;                       // not while it is cold: the present tree is the best one then
    std::vector<Vertex> changed_;        // since it was the best one
    std::vector<char> is_changed_;       // (n)
    double best_cost_ = 0;
    double heat_ = 0;                  // what temperatures are measured by; 0: the mean cost per vertex
    double hot_ = 0;                   // temperature at the beginning of the cycle; 0 in the first descent
    std::int64_t steps_of_cycle_ = 0;  // of the next one too, doubled
    std::int64_t steps_left_ = 0;
    CyclePlan plan_;
};

}  // namespace neuroprim::rooted
