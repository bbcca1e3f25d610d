#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/random.hpp"
#include "search/branches/branch_dives.hpp"
#include "search/branches/branch_partition.hpp"
#include "search/branches/branch_window.hpp"
#include "search/local_search.hpp"
#include "search/window_effort.hpp"

namespace neuroprim::branches {

/// Moves vertices and subtrees from branch to branch, or exchanges them between two or three, under simulated
/// annealing. Branches may be overloaded on the way, at a price per unit of load. The price is adapted so slowly that
/// the tree can follow: many branches may be overloaded while it is hot, hardly any when a cycle ends. It first
/// descends, then anneals in cycles, each twice as long as the one before and begun from the best tree.
///
/// Where branches are short, what is met in the cold half of a cycle is kept, and dives choose among it after the
/// cycle, for as long as the cycle took. Half of that goes into windows of the best tree.
class BranchWorker final : public SearchWorker {
public:
    /// What it is given must outlive it.
    BranchWorker(const Problem& problem, const WeightTable& weights, const Neighbours& near, Random random,
                 bool dives = true);

    void adopt(const Tree& tree) override;

    /// The same, and descends or anneals once in so many steps.
    void adopt(const Tree& tree, const WindowEffort& effort);
    std::int64_t run(std::int64_t steps, const StopToken& stop) override;
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override;

    /// Of the best tree.
    [[nodiscard]] const std::vector<Vertex>& parents() const { return best_parent_; }

private:
    bool step();
    void anneal();
    std::int64_t dive();
    std::int64_t dive_in_window();
    std::int64_t open_window();
    void take(const Tree& tree);
    [[nodiscard]] Tree tree_of(std::span<const Vertex> parent) const;
    void forget_moves();
    void offer_branches();
    void keep_best();
    [[nodiscard]] Vertex near_to(Vertex v);
    std::span<const Vertex> some_at(Vertex v, std::vector<Vertex>& vertices);
    [[nodiscard]] bool choose_exchange();
    void begin_cycle();
    void adapt_dives_share();
    void adapt_penalty();
    void forget_penalties();

    const Problem* problem_;
    const WeightTable* weights_;
    const Neighbours* near_;
    Random random_;
    BranchPartition now_;
    std::vector<Vertex> best_parent_;  // (n)
    double best_cost_ = 0;
    std::vector<Vertex> moved_;    // since the best tree
    std::vector<char> has_moved_;  // (n)
    double penalty_ = 0;           // per unit of overload
    double log_penalties_ = 0;     // sum of the logarithms of those of this cycle
    int penalties_ = 0;            // how many there were
    std::int64_t overloaded_ = 0;  // sum of overloaded branches since the penalty changed
    std::int64_t steps_of_penalty_ = 0;
    double heat_ = 0;         // what temperatures are measured by; 0: the mean cost per vertex
    double temperature_ = 0;  // 0 in the first descent
    double cooling_ = 1;      // the factor of the temperature from step to step, in the first half of a cycle
    double freezing_ = 1;     // likewise, in the second half
    std::int64_t steps_of_cycle_;
    std::int64_t steps_left_ = 0;
    std::optional<BranchDives> dives_;
    std::unique_ptr<BranchWindow> window_;       // null: none is open
    std::int64_t windows_ahead_ = 0;             // steps in windows minus steps in all branches
    double dives_share_ = 1;                     // how long they may take, in parts of a cycle
    double cost_before_dives_ = 0;               // the best one
    std::int64_t dives_before_ = 0;              // ended
    std::int64_t steps_of_dives_ = 0;            // left until the next cycle
    std::int64_t steps_ahead_ = 0;               // done already, of those that the next calls are asked for
    std::vector<Part> parts_;                    // of the exchange that is tried
    std::array<std::vector<Vertex>, 3> moving_;  // its vertices
};

}  // namespace neuroprim::branches
