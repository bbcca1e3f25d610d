#include "heuristics/hop_flattening.hpp"

#include <vector>

namespace neuroprim {

RootedTree breadth_first(const Problem& problem, Vertex root) {
    RootedTree result;
    result.parent.assign(index(problem.size()), no_vertex);
    result.depth.assign(index(problem.size()), -1);
    result.order.push_back(root);
    result.depth[index(root)] = 0;
    for (std::size_t head = 0; head < result.order.size(); ++head) {
        const Vertex u = result.order[head];
        problem.weights().for_each_neighbour(u, [&](Vertex v, double) {
            if (result.contains(v) || !problem.required(v)) return;
            result.parent[index(v)] = u;
            result.depth[index(v)] = result.depth[index(u)] + 1;
            result.order.push_back(v);
        });
    }
    return result;
}

Tree flattened(const Tree& tree, const RootedTree& fewest_hops, int hops) {
    const Vertex root = fewest_hops.order.front();
    const auto n = static_cast<Vertex>(fewest_hops.parent.size());
    const RootedTree rooted = hang(tree, root, n);
    std::vector<Vertex> parent = rooted.parent;
    const auto too_deep = [&](Vertex v) {
        int steps = 0;
        for (; v != root && steps <= hops; v = parent[index(v)]) ++steps;
        return steps > hops;
    };
    Tree result{root, {}};
    // Parents come first: a vertex that is moved takes its subtree with it before that is looked at.
    for (const Vertex v : rooted.order) {
        if (!too_deep(v)) continue;
        for (Vertex w = v; w != root; w = fewest_hops.parent[index(w)]) {
            parent[index(w)] = fewest_hops.parent[index(w)];
        }
    }
    result.edges.reserve(rooted.order.size());
    for (const Vertex v : rooted.order) {
        if (v != root) result.edges.push_back({parent[index(v)], v});
    }
    return grown_from(result, root, n);
}

}  // namespace neuroprim
