#pragma once

#include <optional>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

/// The trees of the first and the quick constructions and of those made for such problems, which have a quarter of
/// the time if it is limited. Throws as `add_first_tree` does.
[[nodiscard]] TreePool constructed_trees(const Problem& problem, const SolveOptions& options, const StopToken& stop);

/// The best of them.
[[nodiscard]] Candidate constructed_tree(const Problem& problem, const SolveOptions& options, const StopToken& stop);

/// A quarter of the time that is left, for a construction's tree before growth that the clock might end without one;
/// nothing without a time limit.
[[nodiscard]] std::optional<StopToken> time_of_construction(const StopToken& stop);

/// A construction's tree for those whom the clock ends before they have a better one of their own, built in that
/// time. Nothing without a time limit, or when no construction finds a tree in time.
[[nodiscard]] std::optional<Candidate> spare_tree(const Problem& problem, const SolveOptions& options,
                                                  const StopToken& stop);

/// The spare tree where it is cheaper: with less time it would have been the answer, and more must not be worse.
[[nodiscard]] Candidate cheaper_of(Candidate own, std::optional<Candidate> spare);

}  // namespace neuroprim
