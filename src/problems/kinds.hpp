#pragma once

#include "neuroprim/problem.hpp"

namespace neuroprim {

// The kinds of problems that some search, bound, construction or model knows better than the general ones do. Each is
// a question to the specification; a problem with a rule or a cost as code is of none of them.

/// Minimum spanning tree, nothing else asked.
[[nodiscard]] bool is_spanning_tree(const Problem& problem);

/// Shortest tree over all vertices under degree limits.
[[nodiscard]] bool limits_degrees(const Problem& problem);

/// The same where every limit is 2: Hamiltonian paths.
[[nodiscard]] bool asks_for_a_path(const Problem& problem);

/// Shortest tree over all vertices under a hop limit.
[[nodiscard]] bool limits_hops(const Problem& problem);

/// Shortest tree over all vertices of limited diameter in hops.
[[nodiscard]] bool limits_diameter(const Problem& problem);

/// Both at once: hops from a root, and a diameter.
[[nodiscard]] bool limits_hops_and_diameter(const Problem& problem);

/// Least routing cost over all vertices, without limits; masses may differ.
[[nodiscard]] bool is_routing(const Problem& problem);

/// Least communication cost, without limits.
[[nodiscard]] bool is_communication(const Problem& problem);

/// Shortest tree that holds the terminals, without limits, prizes or groups.
[[nodiscard]] bool is_steiner(const Problem& problem);

/// Least length and lost prizes, without limits; a root and terminals may be given.
[[nodiscard]] bool collects_prizes(const Problem& problem);

}  // namespace neuroprim
