#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "heuristics/methods.hpp"
#include "neuroprim/error.hpp"
#include "problems/dcmst.hpp"

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
    Method{"star", "the best centre joined to all others", star},
};

bool is_complete_path_problem(const Problem& problem) {
    const auto* limited = dynamic_cast<const DegreeConstrainedMst*>(&problem);
    return limited != nullptr && limited->asks_for_a_path() && problem.weights().is_complete();
}

std::string_view default_name(const Problem& problem) {
    const std::string_view name = problem.name();
    if (name == "mst") return "kruskal";
    if (name == "dcmst") {
        return is_complete_path_problem(problem) ? "farthest-insertion" : "degree-prim";
    }
    if (name == "mrcst" || name == "ocst") return "campos";
    if (name == "stp") return "shortest-path";
    if (name == "hmst") return "hop-descent";
    return "prim";
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
