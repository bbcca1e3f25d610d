#pragma once

#include "neuroprim/heuristics.hpp"

namespace neuroprim {

// One line per method: the function that its file defines, and what it is made for where that is not every problem.
// The table that names them is in registry.cpp.
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
Tree limited_prim(const Problem& problem, const MethodOptions& options);
bool esau_williams_suits(const Problem& problem);
Tree esau_williams(const Problem& problem, const MethodOptions& options);
bool centre_descent_suits(const Problem& problem);
Tree centre_descent(const Problem& problem, const MethodOptions& options);
Tree shortest_path_tree(const Problem& problem, const MethodOptions& options);
bool length_blend_suits(const Problem& problem);
Tree length_blend(const Problem& problem, const MethodOptions& options);
bool prize_growth_suits(const Problem& problem);
Tree prize_growth(const Problem& problem, const MethodOptions& options);
bool group_kruskal_suits(const Problem& problem);
Tree group_kruskal(const Problem& problem, const MethodOptions& options);
bool subdivision_suits(const Problem& problem);
Tree subdivision(const Problem& problem, const MethodOptions& options);
Tree star(const Problem& problem, const MethodOptions& options);

}  // namespace neuroprim
