#include <algorithm>
#include <stdexcept>
#include <vector>

#include "problems/kinds.hpp"
#include "search/branches/branch_search.hpp"
#include "search/degrees/degree_search.hpp"
#include "search/group_search.hpp"
#include "search/levels/level_search.hpp"
#include "search/local_search.hpp"
#include "search/paths/path_search.hpp"
#include "search/rooted/rooted_search.hpp"
#include "search/routing/communication_search.hpp"
#include "search/routing/routing_search.hpp"
#include "search/steiner_search.hpp"
#include "search/swaps/swap_search.hpp"

namespace neuroprim {

namespace {

/// Special searches first; the one for every problem last.
const std::vector<LocalSearchKind>& registry() {
    static const std::vector<LocalSearchKind> kinds = {
        {"path", "Lin–Kernighan chains of flips and local perturbations, for Hamiltonian paths",
         paths::is_path_problem, paths::prepare_path_search},
        {"exchange-chains", "chains of edge exchanges and local perturbations, for trees with limited degrees",
         limited_degrees::has_degree_limits, limited_degrees::prepare_degree_search},
        {"routing", "leaves, subtrees and hubs move for routing cost", is_routing, prepare_routing},
        {"communication", "the best exchange of each edge for communication cost", suits_communication,
         prepare_communication},
        {"steiner", "reductions, key paths and Steiner vertices", steiner_search_suits, prepare_steiner},
        {"groups", "another vertex for one group at a time, for one vertex of each group", group_search_suits,
         prepare_group_search},
        {"branches", "vertices and subtrees move between branches under simulated annealing, for limited loads",
         suits_branches, prepare_branches},
        {"levels", "levels of vertices under simulated annealing, for trees of few hops", suits_levels,
         prepare_levels},
        {"rooted", "ruin and recreate under simulated annealing, for limits of any kind and several at once",
         suits_rooted, prepare_rooted, rooted_steps_beside_policy},
        {"swaps", "edge exchange by the problem's own rules", [](const Problem&) { return true; }, prepare_swaps,
         [](const Problem&) { return std::optional<std::int64_t>(0); }},
    };
    return kinds;
}

}  // namespace

const LocalSearchKind& local_search_for(const Problem& problem) {
    const auto found = std::find_if(registry().begin(), registry().end(),
                                    [&](const LocalSearchKind& kind) { return kind.suits(problem); });
    if (found == registry().end()) throw std::logic_error("no local search takes every problem");
    return *found;
}

}  // namespace neuroprim
