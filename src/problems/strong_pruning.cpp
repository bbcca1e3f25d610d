#include "problems/strong_pruning.hpp"

#include <algorithm>

namespace neuroprim {

Tree strongly_pruned(const Tree& tree, const Weights& weights, const std::vector<bool>& kept,
                     std::span<const double> prizes) {
    const Vertex n = weights.size();
    RootedTree rooted = hang(tree, tree.start, n);
    const auto anchor =
        std::find_if(rooted.order.begin(), rooted.order.end(), [&](Vertex v) { return kept[index(v)]; });
    const bool anchored = anchor != rooted.order.end();
    if (anchored && *anchor != tree.start) rooted = hang(tree, *anchor, n);

    std::vector<double> worth(index(n), 0);        // of the best part below v that holds v
    std::vector<bool> must_stay(index(n), false);  // something kept is at v or below
    for (auto v = rooted.order.rbegin(); v != rooted.order.rend(); ++v) {
        worth[index(*v)] += prizes[index(*v)];
        if (kept[index(*v)]) must_stay[index(*v)] = true;
        const Vertex u = rooted.parent[index(*v)];
        if (u == no_vertex) continue;
        const double gain = worth[index(*v)] - weights(u, *v);
        if (must_stay[index(*v)]) must_stay[index(u)] = true;
        if (must_stay[index(*v)] || gain > 0) worth[index(u)] += gain;
    }
    Vertex top = rooted.order.front();
    if (!anchored) {
        top = *std::max_element(rooted.order.begin(), rooted.order.end(),
                                [&](Vertex a, Vertex b) { return worth[index(a)] < worth[index(b)]; });
    }
    std::vector<bool> inside(index(n), false);
    inside[index(top)] = true;
    Tree result{top, {}};
    for (const Vertex v : rooted.order) {
        const Vertex u = rooted.parent[index(v)];
        if (u == no_vertex || v == top || !inside[index(u)]) continue;
        if (!must_stay[index(v)] && !(worth[index(v)] > weights(u, v))) continue;
        inside[index(v)] = true;
        result.edges.push_back({u, v});
    }
    return inside[index(tree.start)] && tree.start != top ? grown_from(result, tree.start, n) : result;
}

}  // namespace neuroprim
