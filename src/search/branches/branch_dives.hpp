#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/tree.hpp"
#include "search/branches/branch_pool.hpp"
#include "search/branches/branch_pricing.hpp"
#include "search/branches/partition_lp.hpp"
#include "search/branches/weight_table.hpp"

namespace neuroprim::branches {

/// Chooses branches from a pool such that every vertex is in exactly one, at the least cost (set partitioning).
///
/// The linear relaxation is solved by column generation: branches of the pool enter it, then new ones that differ
/// from basic ones in a vertex or two. Dives then fix branches with large values, one after the other, solve what is
/// left anew and end with a tree, or where no better tree is left. Which branch is fixed is drawn at random, and so
/// are pairs of vertices that may not be together in this dive.
///
/// It proves nothing: branches that no search and no change has found are missing.
class BranchDives {
public:
    /// What it is given must outlive it.
    BranchDives(const Problem& problem, const WeightTable& weights, Random random);

    /// Takes a feasible branch into the pool if it may be part of a tree that costs less than `best_cost`.
    void offer(std::span<const Vertex> branch, double cost, double best_cost);

    /// Takes it only if it improves the relaxation as it was solved last.
    void offer_improvement(std::span<const Vertex> branch, double cost);

    /// Does the next small piece of work, and returns how many steps of the annealing would take as long.
    [[nodiscard]] std::int64_t advance(double best_cost);

    /// The tree that the last piece completed, if it costs less than the best one.
    [[nodiscard]] const std::optional<Tree>& found() const { return found_; }

    /// False when the relaxation says that the pool has no better tree.
    [[nodiscard]] bool has_hope(double best_cost) const { return !solved_ || root_value_ <= most(best_cost); }

    [[nodiscard]] bool is_solved() const { return solved_; }  // the relaxation, at least once
    [[nodiscard]] std::int64_t dives() const { return dives_; }
    [[nodiscard]] const BranchPool& pool() const { return pool_; }

private:
    enum class Stage { pool, changes, fixing };

    [[nodiscard]] double most(double best_cost) const;
    void begin_dive();
    void set_prices();
    [[nodiscard]] bool is_allowed(std::span<const Vertex> branch) const;
    [[nodiscard]] std::int64_t enter_from_pool();
    [[nodiscard]] std::int64_t add_changes();
    [[nodiscard]] std::int64_t fix(double best_cost);
    [[nodiscard]] bool separate();
    void forbid();
    void keep_root(double best_cost);
    void complete(double best_cost);
    [[nodiscard]] std::int64_t pivot_steps() const;

    const Problem* problem_;
    const WeightTable* weights_;
    Vertex tree_root_;
    bool has_whole_weights_;
    Random random_;
    BranchPool pool_;
    BranchPricing pricing_;
    double forbidden_;  // what a basic branch costs more when another one has one of its vertices
    PartitionLp lp_;
    PartitionLp root_;  // the relaxation before anything is fixed
    double root_value_ = 0;
    bool solved_ = false;  // it has been, once

    Stage stage_ = Stage::pool;
    std::int64_t dives_ = 0;
    bool has_pivoted_ = false;        // since the last changes were looked for
    std::size_t next_change_ = 0;     // place in the basis
    std::size_t changes_ = 0;         // found in this pass over the basis
    bool has_seen_changes_ = false;   // since branches were forbidden last
    bool is_at_root_ = true;          // nothing is fixed or kept apart
    std::vector<unsigned> apart_;     // (n) by bits: the pairs that a vertex belongs to
    std::vector<char> is_fixed_;      // (n) vertices whose branch is; the root
    std::vector<double> prices_;      // (n) duals; −infinity for vertices whose branch is fixed
    std::vector<BranchTree> chosen_;  // the branches that are fixed
    double fixed_cost_ = 0;           // of these
    std::optional<Tree> found_;

    struct Candidate {
        double reduced_cost;
        std::size_t place;  // in the pool
        bool operator<(const Candidate& other) const { return reduced_cost < other.reduced_cost; }
    };
    std::vector<Candidate> candidates_;
};

}  // namespace neuroprim::branches
