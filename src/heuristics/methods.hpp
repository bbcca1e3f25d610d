#pragma once

#include "neuroprim/heuristics.hpp"

namespace neuroprim {

// One line per method: the function that its file defines. The table that names them is in registry.cpp.
Tree kruskal(const Problem& problem, const MethodOptions& options);
Tree prim(const Problem& problem, const MethodOptions& options);
Tree hop_prim(const Problem& problem, const MethodOptions& options);
Tree hop_levels(const Problem& problem, const MethodOptions& options);
Tree hop_descent(const Problem& problem, const MethodOptions& options);
Tree degree_prim(const Problem& problem, const MethodOptions& options);
Tree farthest_insertion(const Problem& problem, const MethodOptions& options);
Tree campos(const Problem& problem, const MethodOptions& options);
Tree campos_strict(const Problem& problem, const MethodOptions& options);
Tree shortest_path(const Problem& problem, const MethodOptions& options);
Tree star(const Problem& problem, const MethodOptions& options);

}  // namespace neuroprim
