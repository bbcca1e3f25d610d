#pragma once

#include "graph/neighbours.hpp"
#include "neuroprim/random.hpp"
#include "search/branches/branch_partition.hpp"
#include "search/local_search.hpp"

namespace neuroprim::branches {

/// Moves vertices and subtrees from branch to branch, or exchanges them, under simulated annealing. Branches may be
/// overloaded on the way, at a price per unit of load that rises while most trees are infeasible and falls while few
/// are. It first descends, then anneals in cycles, each twice as long as the one before and begun from the best tree.
class BranchWorker final : public SearchWorker {
public:
    /// What it is given must outlive it.
    BranchWorker(const Problem& problem, const Neighbours& near, Random random);

    void adopt(const Tree& tree) override;
    std::int64_t run(std::int64_t steps, const StopToken& stop) override;
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override;

private:
    bool step();
    void keep_best();
    void choose_some(Vertex v, std::vector<Vertex>& vertices);
    void begin_cycle();
    void adapt_penalty();

    const Problem* problem_;
    const Neighbours* near_;
    Random random_;
    BranchPartition now_;
    std::vector<Vertex> best_parent_;  // (n)
    double best_cost_ = 0;
    std::vector<Vertex> moved_;    // since the best tree
    std::vector<char> has_moved_;  // (n)
    double penalty_ = 0;           // per unit of overload
    double temperature_ = 0;       // 0 in the first descent
    double cooling_ = 1;           // the factor of the temperature from step to step
    std::int64_t steps_of_cycle_;
    std::int64_t steps_left_ = 0;
    int feasible_steps_ = 0;  // since the penalty changed
    int steps_of_penalty_ = 0;
    std::vector<Vertex> out_;  // of the move that is tried
    std::vector<Vertex> in_;
};

}  // namespace neuroprim::branches
