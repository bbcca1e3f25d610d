#include <algorithm>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "graph/neighbours.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

bool group_kruskal_suits(const Problem& problem) {
    return problem.spec().coverage == Coverage::groups;
}

/// Kruskal's algorithm over groups: the lightest edge first, if its ends can still speak for their groups. The first
/// edge at a group chooses the vertex that speaks for it. On complete graphs all groups come together.
Tree group_kruskal(const Problem& problem, const MethodOptions&) {
    const TreeSpec& spec = problem.spec();
    if (!group_kruskal_suits(problem)) throw InputError("group-kruskal is for one vertex of each group");
    const auto groups = static_cast<std::size_t>(spec.group_count());
    std::vector<Vertex> speaker(groups, no_vertex);
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (spec.group(v) >= 0 && problem.required(v)) speaker[static_cast<std::size_t>(spec.group(v))] = v;
    }
    const auto may_speak = [&](Vertex v) {
        if (spec.group(v) < 0) return problem.required(v);
        const Vertex chosen = speaker[static_cast<std::size_t>(spec.group(v))];
        return chosen == no_vertex || chosen == v;
    };
    std::vector<WeightedEdge> edges = problem.weights().edges();
    std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
    DisjointSets parts(problem.size());
    Tree tree;
    for (const auto& [u, v, weight] : edges) {
        if (!may_speak(u) || !may_speak(v) || (spec.group(u) >= 0 && spec.group(u) == spec.group(v))) continue;
        if (parts.find(u) == parts.find(v)) continue;
        parts.join(u, v);
        tree.edges.push_back({u, v});
        for (const Vertex end : {u, v}) {
            if (spec.group(end) >= 0) speaker[static_cast<std::size_t>(spec.group(end))] = end;
        }
    }
    if (tree.edges.empty()) return Tree{start_of(problem, {}), {}};
    tree.start = spec.root.value_or(tree.edges.front().u);
    Tree grown = grown_from(tree, tree.start, problem.size());
    if (grown.edges.size() != tree.edges.size()) give_up(problem, "group-kruskal left the groups in several parts");
    return grown;
}

}  // namespace neuroprim
