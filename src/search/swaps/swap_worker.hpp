#pragma once

#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/random.hpp"
#include "search/iterated_local_search.hpp"
#include "search/swaps/swap_tree.hpp"

namespace neuroprim::swaps {

/// Edge exchange for any problem, by its own rules alone: `cost`, `violation`, `pruned`, `required`.
///
/// A move adds an edge and takes another one out of the cycle it closes, or takes in or leaves out a vertex that
/// need not be in the tree. Where the cost is the sum of weights, only exchanges that save weight are judged; where
/// it is not, every one is priced in full. Judging costs what the rules cost: O(n) for those of this library.
class SwapWorker final : public IteratedLocalSearch {
public:
    /// What it is given must outlive it.
    SwapWorker(const Problem& problem, const Neighbours& near, Random random);

    void adopt(const Tree& tree) override;
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override { return best_; }

private:
    [[nodiscard]] bool can_descend() const override { return problem_->size() >= 3; }
    [[nodiscard]] double cost_now() const override { return cost_; }
    [[nodiscard]] bool accepts(double before, Random& random) const override;
    void remember() override;
    void go_back() override;
    void keep_if_best() override;

    void load(const Tree& tree, double cost);
    void look_at(Vertex v);
    void look_around(Vertex v);

    /// Empties the queue of vertices to look at; false when the stop token expired first.
    bool descend(Random& random, const StopToken& stop) override;
    bool improve_at(Vertex v, Random& random, const StopToken& stop);
    bool improve_by_edge(Edge added, const StopToken& stop);
    bool improve_by_optional(Vertex v, Random& random, const StopToken& stop);
    void choose_candidates(Vertex v, Random& random);
    void choose_removals(Edge added, double added_weight);

    /// Moves to the tree if it is feasible and cheaper. `at` are vertices to look at again then.
    bool take_if_better(Tree candidate, Edge at);

    /// A few random feasible exchanges near each other, whatever they cost.
    void perturb(Random& random, const StopToken& stop) override;
    void change_root(Random& random);
    bool random_exchange(Vertex v, Random& random);
    bool random_optional(Vertex v, Random& random);
    bool random_leaf(Vertex v, Random& random);
    bool random_detour(Vertex v, Random& random);
    bool walk_to_tree(Vertex v, Random& random);
    bool take_if_feasible(Tree candidate, Edge at);
    [[nodiscard]] Vertex random_end(Vertex v, Random& random) const;

    const Problem* problem_;
    const Neighbours* near_;
    bool additive_;          // the cost is the sum of weights
    bool optional_ = false;  // some vertices need not be in the tree
    SwapTree now_;
    double cost_ = 0;
    Tree best_;
    double best_cost_ = 0;
    Tree before_;
    double cost_before_ = 0;
    std::vector<Vertex> queue_;
    std::vector<bool> queued_;        // (n)
    std::vector<Vertex> candidates_;  // other ends of edges to add
    std::vector<Vertex> path_;
    std::vector<Edge> edges_;
};

}  // namespace neuroprim::swaps
