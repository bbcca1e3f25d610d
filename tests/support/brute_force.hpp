#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim::testing {

/// Calls `visit` with every tree on `vertices` (in the complete graph), by Prüfer's bijection: k^(k−2) of them.
void for_each_tree(const std::vector<Vertex>& vertices, const std::function<void(const Tree&)>& visit);

/// Calls `visit` with every tree that could answer the problem: all required vertices, and any of the others.
void for_each_candidate(const Problem& problem, const std::function<void(const Tree&)>& visit);

/// The least cost over all feasible trees, or nothing when there is none. For n ≤ 7 or so.
[[nodiscard]] std::optional<double> optimum(const Problem& problem);

}  // namespace neuroprim::testing
