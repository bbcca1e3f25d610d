#pragma once

#include "graph/watch.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solution.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// Puts one feasible tree into the pool as fast as the problem allows: what is there when the time is very short.
/// A watch that expires meanwhile leaves a tree that is at hand, however dear. Throws Infeasible when no construction
/// finds one, Stopped when the watch expires and none at hand is feasible.
void add_first_tree(const Problem& problem, const SolveOptions& options, const Watch& watch, TreePool& pool);

/// Adds the trees of better constructions, classical and neural, as far as they are worth their share of the time.
/// Which ones depends on sizes and options, not on the clock; a watch that expires ends it early.
void add_better_trees(const Problem& problem, const SolveOptions& options, const Watch& watch, TreePool& pool);

}  // namespace neuroprim
