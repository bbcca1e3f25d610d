#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// Puts one feasible tree into the pool as fast as the problem allows: what is there when the time is very short.
/// A stop token that expires meanwhile leaves a tree that is at hand, however dear. Throws Infeasible when no
/// construction finds one, Interrupted when the stop token expires and none at hand is feasible.
void add_first_tree(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool);

/// Adds the trees of constructions that take no longer than preparing a local search does. Which ones depends on
/// sizes and options, not on the clock; a stop token that expires ends it early.
void add_quick_trees(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool);

/// Adds the trees of constructions that were made for such a problem (`Method::made_for`), or for one of its limits
/// (`tree_from_one_limit`). They take about n log n on points, which is longer than a search should wait for on large
/// graphs, and less than a policy takes.
void add_fitting_trees(const Problem& problem, const SolveOptions& options, const StopToken& stop, TreePool& pool);

/// Trees that take longer: constructions that look at all pairs of many vertices, and the policy's. They are worth
/// having beside a search that has begun, not worth waiting for. So is what the policy makes of the search's trees.
class SlowTrees {
public:
    /// Reads the policy's file if the options name one: throws InputError when it is not one.
    SlowTrees(const Problem& problem, const SolveOptions& options);

    [[nodiscard]] bool any() const { return constructions_ || policy_; }

    /// How many steps the search must have time for, or they cost more than they bring.
    [[nodiscard]] std::int64_t least_steps() const { return least_steps_; }

    /// Reads the pretrained policy now, not in turns, where it is asked for a short search: its trees are worth most
    /// when they come early.
    void load();

    /// What is odd about the policy that the options give.
    [[nodiscard]] std::optional<std::string> warning() const;

    using Stop = std::function<bool()>;
    using Offer = std::function<void(Tree, std::string)>;

    /// Builds them one after the other on the calling thread and hands each over with its source. Asks `stop` every
    /// few milliseconds and returns soon after it says yes.
    void build(const Stop& stop, const Offer& offer);

    /// Lets the policy, if there is one, rebuild windows of `best()`, the best tree so far, until several passes in a
    /// row were fruitless. Hands over what became cheaper, and asks `stop` likewise. Does nothing where the search
    /// has moves made for the limits: then it is always ahead of the windows.
    void rebuild(const Stop& stop, const Offer& offer, const std::function<Tree()>& best);

private:
    void grow_by(const Policy& policy, const Stop& stop, const Offer& offer) const;

    const Problem* problem_;
    const SolveOptions* options_;
    bool constructions_ = false;
    bool policy_ = false;
    bool windows_ = false;
    std::int64_t least_steps_ = 0;
    std::shared_ptr<const Policy> loaded_;  // null: the pretrained one, read when its turn has come
};

}  // namespace neuroprim
