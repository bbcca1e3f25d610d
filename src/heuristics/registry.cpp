#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heuristics/methods.hpp"
#include "neuroprim/error.hpp"
#include "problems/kinds.hpp"

namespace neuroprim {

namespace {

constexpr std::array table = {
    Method{"kruskal", "minimum spanning tree of the required vertices", kruskal, true},
    Method{"prim", "cheapest allowed edge first, from a start vertex", prim},
    Method{"hop-prim", "prim, with flatter paths where hop limits leave it stuck", hop_prim},
    Method{"hop-levels", "nested sets of hubs, one for each hop, that others hang from", hop_levels},
    Method{"hop-descent", "hop-levels and others, then hubs open, close and move while the tree gets shorter",
           hop_descent},
    Method{"degree-prim", "prim, with edge exchanges where degree limits leave it stuck", degree_prim},
    Method{"farthest-insertion", "a Hamiltonian path that takes in the farthest vertex first", farthest_insertion},
    Method{"campos", "short edges near a central start, for routing cost", campos},
    Method{"campos-strict", "campos as the paper's table has it: a parent changes for one better in both measures",
           campos_strict},
    Method{"shortest-path", "nearest terminal first, each by a shortest path", shortest_path},
    Method{"limited-prim", "prim that pays for depth, as much as several limits at once ask for", limited_prim},
    Method{"esau-williams", "parts give up their edge to the root where joining another part saves most",
           esau_williams, false, esau_williams_suits},
    Method{"centre-descent", "hop-descent from the best of several centres, for limited diameters", centre_descent,
           false, centre_descent_suits},
    Method{"shortest-path-tree", "the shortest way from the root to every vertex", shortest_path_tree},
    Method{"length-blend", "the minimum spanning tree, with shortest ways where it gets too long", length_blend,
           false, length_blend_suits},
    Method{"prize-growth", "Goemans and Williamson's growth, strongly pruned", prize_growth, false,
           prize_growth_suits},
    Method{"group-kruskal", "kruskal over groups, whose first edge chooses their vertex", group_kruskal, false,
           group_kruskal_suits},
    Method{"subdivision", "points divided again and again; each part has a top that its own parts hang from",
           subdivision, false, subdivision_suits},
    Method{"star", "the best centre joined to all others", star},
};

std::string_view default_name(const Problem& problem) {
    if (is_spanning_tree(problem)) return "kruskal";
    if (asks_for_a_path(problem) && problem.weights().is_complete()) return "farthest-insertion";
    if (limits_degrees(problem)) return "degree-prim";
    if (is_routing(problem) || is_communication(problem)) return "campos";
    if (is_steiner(problem)) return "shortest-path";
    if (limits_hops(problem)) return "hop-descent";
    const TreeSpec& spec = problem.spec();
    const bool covers_all = problem.is_plain() && spec.coverage == Coverage::all;
    if (covers_all && spec.has(Limit::capacity) && spec.has_only({Limit::capacity})) return "esau-williams";
    if (covers_all && spec.has(Limit::diameter) && spec.has_only({Limit::diameter})) return "centre-descent";
    if (covers_all && spec.has(Limit::length) && spec.has_only({Limit::length})) return "length-blend";
    if (problem.is_plain() && !spec.prizes.empty()) return "prize-growth";
    if (problem.is_plain() && spec.coverage == Coverage::groups) return "group-kruskal";
    return problem.is_plain() ? "limited-prim" : "prim";
}

}  // namespace

std::span<const Method> methods() {
    return table;
}

const Method& method_named(std::string_view name) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Method& m) { return m.name == name; });
    if (found != table.end()) return *found;
    std::string known;
    for (const auto& method : table) known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
    throw InputError(fmt::format("unknown method \"{}\": expected one of {}", name, known));
}

const Method& default_method(const Problem& problem) {
    return method_named(default_name(problem));
}

}  // namespace neuroprim
