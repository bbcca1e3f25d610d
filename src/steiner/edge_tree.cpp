#include "steiner/edge_tree.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "graph/disjoint_sets.hpp"

namespace neuroprim::steiner {

std::optional<EdgeTree> tree_among(const FlatGraph& graph, std::vector<int> edges, std::span<const double> weights) {
    const auto weight = [&](int e) { return weights[static_cast<std::size_t>(e)]; };
    std::sort(edges.begin(), edges.end(),
              [&](int a, int b) { return weight(a) != weight(b) ? weight(a) < weight(b) : a < b; });
    DisjointSets sets(graph.size());
    std::erase_if(edges, [&](int e) { return !sets.join(graph.link(e).u, graph.link(e).v); });
    const auto terminals = graph.terminals();
    for (const Vertex t : terminals) {
        if (sets.find(t) != sets.find(terminals.front())) return std::nullopt;
    }

    // Leaves that are no terminals go, and so do parts without terminals, which are trees too.
    std::vector<int> degree(index(graph.size()), 0);
    std::vector<int> sum(index(graph.size()), 0);  // exclusive or of the edges at a vertex: the last one is it
    for (const int e : edges) {
        for (const Vertex v : {graph.link(e).u, graph.link(e).v}) {
            ++degree[index(v)];
            sum[index(v)] ^= e;
        }
    }
    std::vector<int> cut;
    const auto cut_from = [&](Vertex v) {
        while (degree[index(v)] == 1 && !graph.is_terminal(v)) {
            const int e = sum[index(v)];
            const Vertex other = graph.link(e).u == v ? graph.link(e).v : graph.link(e).u;
            cut.push_back(e);
            --degree[index(v)];
            --degree[index(other)];
            sum[index(other)] ^= e;
            v = other;
        }
    };
    for (const int e : edges) {
        cut_from(graph.link(e).u);
        cut_from(graph.link(e).v);
    }
    std::sort(edges.begin(), edges.end());
    EdgeTree tree;
    if (cut.empty()) {
        tree.edges = std::move(edges);
    } else {
        std::sort(cut.begin(), cut.end());
        std::set_difference(edges.begin(), edges.end(), cut.begin(), cut.end(), std::back_inserter(tree.edges));
    }
    tree.cost = cost_of(tree, weights);
    return tree;
}

EdgeTree respanned(const FlatGraph& graph, const EdgeTree& tree, std::span<const double> weights) {
    std::vector<char> inside(index(graph.size()), 0);
    for (const int e : tree.edges) {
        inside[index(graph.link(e).u)] = 1;
        inside[index(graph.link(e).v)] = 1;
    }
    std::vector<int> edges;
    for (Vertex v = 0; v < graph.size(); ++v) {
        if (inside[index(v)] == 0) continue;
        for (const auto& arc : graph.arcs(v)) {
            if (arc.to > v && inside[index(arc.to)] != 0) edges.push_back(arc.edge);
        }
    }
    auto result = tree_among(graph, std::move(edges), weights);
    return result && result->cost < cost_of(tree, weights) ? *std::move(result) : tree;
}

double cost_of(const EdgeTree& tree, std::span<const double> weights) {
    double sum = 0;
    for (const int e : tree.edges) sum += weights[static_cast<std::size_t>(e)];
    return sum;
}

std::optional<EdgeTree> shortest_path_tree(const FlatGraph& graph, Vertex root, std::span<const double> weights,
                                           std::span<const char> inside) {
    const auto n = index(graph.size());
    std::vector<double> length(n, std::numeric_limits<double>::infinity());
    std::vector<int> via(n, -1);  // the edge towards the tree
    std::vector<char> joined(n, 0);
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto wanted = [&](Vertex v) { return graph.is_terminal(v) || (!inside.empty() && inside[index(v)] != 0); };
    std::size_t missing = 0;
    for (Vertex v = 0; v < graph.size(); ++v) missing += wanted(v) ? 1 : 0;
    const auto join = [&](Vertex v) {
        joined[index(v)] = 1;
        length[index(v)] = 0;
        queue.emplace(0, v);
        if (wanted(v)) --missing;
    };
    EdgeTree tree;
    join(root);
    while (missing > 0) {
        if (queue.empty()) return std::nullopt;
        const auto [distance, v] = queue.top();
        queue.pop();
        if (distance > length[index(v)]) continue;
        if (wanted(v) && joined[index(v)] == 0) {
            for (Vertex x = v; joined[index(x)] == 0;) {
                const int e = via[index(x)];
                tree.edges.push_back(e);
                join(x);
                x = graph.link(e).u == x ? graph.link(e).v : graph.link(e).u;
            }
            continue;
        }
        for (const auto& arc : graph.arcs(v)) {
            const double longer = distance + weights[static_cast<std::size_t>(arc.edge)];
            if (longer >= length[index(arc.to)]) continue;
            length[index(arc.to)] = longer;
            via[index(arc.to)] = arc.edge;
            queue.emplace(longer, arc.to);
        }
    }
    return tree_among(graph, std::move(tree.edges), weights);
}

}  // namespace neuroprim::steiner
