#include <algorithm>
#include <utility>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "graph/neighbours.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

/// With more vertices than this, the edges between all of them leave sensible memory.
constexpr Vertex most_with_all_edges = 1000;

bool has_too_many_edges(const Weights& weights) {
    return weights.is_complete() && weights.size() > most_with_all_edges;
}

/// All edges, lightest first; where they are too many, those to near vertices.
std::vector<WeightedEdge> edges_to_try(const Weights& weights, const MethodOptions& options) {
    std::vector<WeightedEdge> edges;
    if (has_too_many_edges(weights)) {
        constexpr std::size_t list_length = 24;
        const Neighbours near = nearest_neighbours(weights, list_length, options.threads, stop_token_of(options));
        for (Vertex u = 0; u < weights.size(); ++u) {
            for (const Vertex v : near.of(u)) edges.push_back({u, v, weights(u, v)});
        }
    } else {
        edges = weights.edges();
    }
    std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.weight < b.weight; });
    return edges;
}

/// The shortest tree over the vertices that speak for groups and those that must be in. Groups for which nobody
/// speaks yet have near neighbours of their own only: any of them will do.
Tree tree_of_speakers(const Problem& problem, std::vector<Vertex> speaker, const MethodOptions& options) {
    const TreeSpec& spec = problem.spec();
    std::vector<Vertex> vertices;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (spec.group(v) >= 0) {
            Vertex& chosen = speaker[static_cast<std::size_t>(spec.group(v))];
            if (chosen == no_vertex) chosen = v;
            if (chosen == v) vertices.push_back(v);
        } else if (problem.required(v)) {
            vertices.push_back(v);
        }
    }
    const Tree part =
        minimum_spanning_tree(induced(problem.weights(), vertices), options.threads, options.interrupted);
    Tree tree{vertices[index(part.start)], {}};
    for (const auto& [u, v] : part.edges) tree.edges.push_back({vertices[index(u)], vertices[index(v)]});
    return spec.root ? grown_from(tree, *spec.root, problem.size()) : tree;
}

}  // namespace

bool group_kruskal_suits(const Problem& problem) {
    return problem.spec().coverage == Coverage::groups;
}

/// Kruskal's algorithm over groups: the lightest edge first, if its ends can still speak for their groups. The first
/// edge at a group chooses the vertex that speaks for it. On complete graphs all groups come together. O(n² log n),
/// and O(n log n) on more than 1,000 points.
Tree group_kruskal(const Problem& problem, const MethodOptions& options) {
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
    DisjointSets parts(problem.size());
    Tree tree;
    for (const auto& [u, v, weight] : edges_to_try(problem.weights(), options)) {
        if (!may_speak(u) || !may_speak(v) || (spec.group(u) >= 0 && spec.group(u) == spec.group(v))) continue;
        if (parts.find(u) == parts.find(v)) continue;
        parts.join(u, v);
        tree.edges.push_back({u, v});
        for (const Vertex end : {u, v}) {
            if (spec.group(end) >= 0) speaker[static_cast<std::size_t>(spec.group(end))] = end;
        }
    }
    if (has_too_many_edges(problem.weights())) return tree_of_speakers(problem, std::move(speaker), options);
    if (tree.edges.empty()) return Tree{start_of(problem, {}), {}};
    tree.start = spec.root.value_or(tree.edges.front().u);
    Tree grown = grown_from(tree, tree.start, problem.size());
    if (grown.edges.size() != tree.edges.size()) give_up(problem, "group-kruskal left the groups in several parts");
    return grown;
}

}  // namespace neuroprim
