#include "search/closure/street_problems.hpp"

#include <algorithm>
#include <utility>

#include "graph/disjoint_sets.hpp"
#include "graph/shortest_ways.hpp"
#include "graph/shuffle.hpp"
#include "neuroprim/random.hpp"
#include "support/instances.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim::testing {

Instance chained_streets(Vertex side, std::uint64_t seed) {
    Random random(seed);
    std::vector<Point> layout;
    for (Vertex v = 0; v < side * side; ++v) {
        layout.push_back({static_cast<double>(v % side) + 0.5 * random.uniform(),
                          static_cast<double>(v / side) + 0.5 * random.uniform()});
    }
    std::vector<Edge> streets;
    for (Vertex v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) streets.push_back({v, v + 1});
        if (v + side < side * side) streets.push_back({v, v + side});
    }
    shuffle(streets, random);
    DisjointSets connected(side * side);
    std::vector<WeightedEdge> edges;
    for (const auto& [u, v] : streets) {
        if (!connected.join(u, v) && random.below(3) == 0) continue;
        Vertex last = u;
        for (auto pieces = random.below(3); pieces > 0; --pieces) {
            const auto next = static_cast<Vertex>(layout.size());
            layout.push_back(
                {(layout[index(last)].x + layout[index(v)].x) / 2, (layout[index(last)].y + layout[index(v)].y) / 2});
            edges.push_back({last, next, 20 + 80 * random.uniform()});
            last = next;
        }
        edges.push_back({last, v, 20 + 80 * random.uniform()});
    }
    Instance result = of_edges(static_cast<Vertex>(layout.size()), std::move(edges));
    result.layout = std::move(layout);
    return result;
}

std::vector<StreetProblem> street_problems(const Instance& streets) {
    const std::size_t n = index(streets.size());
    std::vector<Vertex> terminals;
    std::vector<double> prizes(n, 0);
    std::vector<int> groups(n, -1);
    for (std::size_t v = 3; v < n; v += 9) {
        terminals.push_back(static_cast<Vertex>(v));
        prizes[v] = 40 + 10 * static_cast<double>(v % 17);
    }
    // Corners of streets, so that ways lead around them.
    int group = 0;
    for (std::size_t v = 0; v + 1 < 60; v += 7) groups[v] = groups[v + 1] = group++;
    const Vertex root = terminals.front();
    const ShortestWays ways = shortest_ways(streets.weights, root);
    double longest = 0;
    for (const Vertex v : terminals) longest = std::max(longest, ways.length[index(v)]);
    std::vector<int> hops(n, -1);
    std::vector<Vertex> reached = {root};
    hops[index(root)] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k) {
        streets.weights.for_each_neighbour(reached[k], [&](Vertex v, double) {
            if (hops[index(v)] >= 0) return;
            hops[index(v)] = hops[index(reached[k])] + 1;
            reached.push_back(v);
        });
    }
    int deepest = 0;
    for (const Vertex v : terminals) deepest = std::max(deepest, hops[index(v)]);
    const auto with_terminals = [&](TreeSpec spec) {
        spec.coverage = Coverage::terminals;
        spec.terminals = terminals;
        return spec;
    };
    return {
        {"terminals", with_terminals({})},
        {"prizes", {.coverage = Coverage::optional, .prizes = prizes}},
        {"prizes and a root", {.coverage = Coverage::optional, .root = 50, .prizes = prizes}},
        {"groups", {.coverage = Coverage::groups, .groups = groups}},
        {"hops", with_terminals({.root = root, .hops = deepest + 1})},
        {"length", with_terminals({.root = root, .length = 1.1 * longest})},
        {"hops and length", with_terminals({.root = root, .hops = 2 * deepest, .length = 1.2 * longest})},
        {"prizes and hops", {.coverage = Coverage::optional, .root = root, .hops = deepest / 2, .prizes = prizes}},
    };
}

const Policy& policy_of_chance() {
    static const Policy policy = untrained_policy();
    return policy;
}

}  // namespace neuroprim::testing
