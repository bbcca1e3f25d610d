#pragma once

#include <string>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/heuristics.hpp"

namespace neuroprim {

/// Where a construction begins: `options.start`, or the first vertex the problem may start from.
/// Throws InputError when the problem cannot start there.
[[nodiscard]] Vertex start_of(const Problem& problem, const MethodOptions& options);

/// What tells a construction to stop.
[[nodiscard]] inline StopToken stop_token_of(const MethodOptions& options) {
    return {std::nullopt, options.interrupted};
}

/// After how many rows of edges, one for each vertex, it is time to ask the stop token again: some ten thousand
/// edges.
[[nodiscard]] unsigned rows_between_looks(const Weights& weights);

/// Every vertex that must be in the tree, increasing; all of them when none must, as a rule of its own ends the tree.
[[nodiscard]] std::vector<Vertex> required_vertices(const Problem& problem);

/// The same with `start` among them: a tree may grow from a vertex that it need not hold.
[[nodiscard]] std::vector<Vertex> required_and(const Problem& problem, Vertex start);

/// The centre joined to each of `vertices` but itself.
[[nodiscard]] Tree star_around(Vertex centre, const std::vector<Vertex>& vertices);

/// Throws Infeasible: with the problem's own obstacle where it has one, otherwise with `message`.
[[noreturn]] void give_up(const Problem& problem, const std::string& message);

/// The same edges listed from a vertex the problem may start from: the tree's own start if it may.
[[nodiscard]] Tree grown_from_allowed_start(const Problem& problem, Tree tree);

}  // namespace neuroprim
