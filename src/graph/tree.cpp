#include "neuroprim/tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/disjoint_sets.hpp"
#include "graph/tree_neighbours.hpp"

namespace neuroprim {

RootedTree hang(const Tree& tree, Vertex root, Vertex n) {
    return hang(tree, std::span(&root, 1), n);
}

RootedTree hang(const Tree& forest, std::span<const Vertex> roots, Vertex n) {
    const TreeNeighbours adjacency(forest, n);
    RootedTree result;
    result.parent.assign(index(n), no_vertex);
    result.depth.assign(index(n), -1);
    result.order.reserve(forest.edges.size() + roots.size());
    for (const Vertex root : roots) {
        result.order.push_back(root);
        result.depth[index(root)] = 0;
    }
    for (std::size_t head = 0; head < result.order.size(); ++head) {
        const Vertex u = result.order[head];
        for (const Vertex v : adjacency.of(u)) {
            if (result.depth[index(v)] >= 0) continue;
            result.depth[index(v)] = result.depth[index(u)] + 1;
            result.parent[index(v)] = u;
            result.order.push_back(v);
        }
    }
    return result;
}

std::vector<int> degrees(const Tree& tree, Vertex n) {
    std::vector<int> result(index(n), 0);
    for (const auto& [u, v] : tree.edges) {
        ++result[index(u)];
        ++result[index(v)];
    }
    return result;
}

namespace {

/// What is wrong with the edges, whatever they connect. Leaves the components in `parts`.
std::optional<std::string> edge_violation(const Tree& tree, const Weights& weights, DisjointSets& parts) {
    const Vertex n = weights.size();
    const auto in_range = [n](Vertex v) { return v >= 0 && v < n; };
    if (!in_range(tree.start)) return fmt::format("start vertex {} is not among the {} vertices", tree.start, n);
    for (std::size_t k = 0; k < tree.edges.size(); ++k) {
        const auto [u, v] = tree.edges[k];
        for (const Vertex end : {u, v}) {
            if (!in_range(end)) return fmt::format("edge {}: vertex {} is not among the {} vertices", k, end, n);
        }
        if (u == v) return fmt::format("edge {} joins vertex {} to itself", k, u);
        if (!weights.has_edge(u, v)) return fmt::format("edge {}-{} is not in the graph", u, v);
        if (!parts.join(u, v)) return fmt::format("cycle at edge {}-{}", u, v);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> structural_violation(const Tree& forest, const Weights& weights,
                                                std::span<const Vertex> roots) {
    DisjointSets parts(weights.size());
    if (auto reason = edge_violation(forest, weights, parts)) return reason;
    std::vector<Vertex> root_of(index(weights.size()), no_vertex);  // by the component's representative
    for (const Vertex root : roots) {
        Vertex& other = root_of[index(parts.find(root))];
        if (other != no_vertex) return fmt::format("roots {} and {} are in one tree", other, root);
        other = root;
    }
    for (const auto& [u, v] : forest.edges) {
        if (root_of[index(parts.find(u))] == no_vertex) {
            return fmt::format("not connected: edge {}-{} is in a tree without a root", u, v);
        }
    }
    return std::nullopt;
}

namespace {

/// Does every edge join a new vertex to the part grown from the start? Then there is neither a cycle nor a second
/// part.
bool is_listed_as_it_grew(const Tree& tree, Vertex n) {
    const auto in_range = [n](Vertex v) { return v >= 0 && v < n; };
    if (!in_range(tree.start)) return false;
    std::vector<bool> seen(index(n), false);
    seen[index(tree.start)] = true;
    for (const auto& [u, v] : tree.edges) {
        if (!in_range(u) || !in_range(v) || !seen[index(u)] || seen[index(v)]) return false;
        seen[index(v)] = true;
    }
    return true;
}

}  // namespace

std::optional<std::string> structural_violation(const Tree& tree, const Weights& weights) {
    if (weights.is_complete() && is_listed_as_it_grew(tree, weights.size())) return std::nullopt;
    DisjointSets parts(weights.size());
    if (auto reason = edge_violation(tree, weights, parts)) return reason;
    if (tree.edges.empty()) return std::nullopt;
    const Vertex first = tree.edges.front().u;
    for (const auto& [u, v] : tree.edges) {
        if (parts.find(u) != parts.find(first)) {
            return fmt::format("not connected: vertices {} and {} lie in different parts", first, u);
        }
    }
    return std::nullopt;
}

Tree grown_from(const Tree& tree, Vertex start, Vertex n) {
    const RootedTree rooted = hang(tree, start, n);
    Tree result{start, {}};
    result.edges.reserve(tree.edges.size());
    for (std::size_t k = 1; k < rooted.order.size(); ++k) {
        const Vertex v = rooted.order[k];
        result.edges.push_back({rooted.parent[index(v)], v});
    }
    return result;
}

Tree pruned(const Tree& tree, const std::vector<bool>& required) {
    const auto n = static_cast<Vertex>(required.size());
    std::vector<int> degree = degrees(tree, n);
    const TreeNeighbours adjacency(tree, n);
    std::vector<bool> gone(required.size(), false);
    std::vector<Vertex> leaves;
    const auto spare_leaf = [&](Vertex v) { return degree[index(v)] == 1 && !required[index(v)]; };
    for (Vertex v = 0; v < n; ++v) {
        if (spare_leaf(v)) leaves.push_back(v);
    }
    while (!leaves.empty()) {
        const Vertex leaf = leaves.back();
        leaves.pop_back();
        gone[index(leaf)] = true;
        for (const Vertex v : adjacency.of(leaf)) {
            if (gone[index(v)]) continue;
            --degree[index(v)];
            if (spare_leaf(v)) leaves.push_back(v);
        }
    }
    Tree result{tree.start, {}};
    for (const auto& edge : tree.edges) {
        if (!gone[index(edge.u)] && !gone[index(edge.v)]) result.edges.push_back(edge);
    }
    if (gone[index(result.start)] || !required[index(result.start)]) {
        const auto first = std::find(required.begin(), required.end(), true);
        if (first != required.end()) result.start = static_cast<Vertex>(first - required.begin());
    }
    return result.start == tree.start ? result : grown_from(result, result.start, n);
}

double total_weight(const Tree& tree, const Weights& weights) {
    double sum = 0;
    for (const auto& [u, v] : tree.edges) sum += weights(u, v);
    return sum;
}

double routing_cost(const Tree& tree, const Weights& weights) {
    const RootedTree rooted = hang(tree, tree.start, weights.size());
    const auto n = static_cast<double>(rooted.order.size());
    std::vector<double> below(rooted.parent.size(), 1);  // vertices in the subtree of v
    double sum = 0;
    for (std::size_t k = rooted.order.size(); k-- > 1;) {
        const Vertex v = rooted.order[k];
        const Vertex u = rooted.parent[index(v)];
        const double size = below[index(v)];
        below[index(u)] += size;
        sum += size * (n - size) * weights(u, v);
    }
    return sum;
}

double communication_cost(const Tree& tree, const Weights& weights, std::span<const double> requirements) {
    double sum = 0;
    std::vector<double> from_source(index(weights.size()));
    for (const Vertex source : hang(tree, tree.start, weights.size()).order) {
        const RootedTree rooted = hang(tree, source, weights.size());
        from_source[index(source)] = 0;
        for (std::size_t k = 1; k < rooted.order.size(); ++k) {
            const Vertex v = rooted.order[k];
            const Vertex u = rooted.parent[index(v)];
            from_source[index(v)] = from_source[index(u)] + weights(u, v);
            if (source < v) sum += requirements[pair_index(source, v)] * from_source[index(v)];
        }
    }
    return sum;
}

}  // namespace neuroprim
