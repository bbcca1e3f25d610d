#include "heuristics/trees_at_hand.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "heuristics/quick_paths.hpp"
#include "heuristics/support.hpp"

namespace neuroprim {

namespace {

Tree path_by_number(Vertex n) {
    Tree path{0, {}};
    for (Vertex v = 1; v < n; ++v) path.edges.push_back({v - 1, v});
    return path;
}

std::vector<Vertex> all_vertices(Vertex n) {
    std::vector<Vertex> result(index(n));
    std::iota(result.begin(), result.end(), 0);
    return result;
}

/// Fewest hops, through any vertex: those that need not be in may be on the way.
Tree tree_of_fewest_hops(const Problem& problem, Vertex root) {
    std::vector<bool> seen(index(problem.size()), false);
    seen[index(root)] = true;
    std::vector<Vertex> queue = {root};
    Tree tree{root, {}};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Vertex u = queue[head];
        problem.weights().for_each_neighbour(u, [&](Vertex v, double) {
            if (seen[index(v)]) return;
            seen[index(v)] = true;
            queue.push_back(v);
            tree.edges.push_back({u, v});
        });
    }
    return tree;
}

}  // namespace

std::optional<Tree> flattest_tree(const Problem& problem) {
    const auto& degrees = problem.spec().degrees;
    const Vertex root = start_of(problem, {});
    std::vector<Vertex> order = {root};  // breadth first
    order.reserve(index(problem.size()));
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v != root) order.push_back(v);
    }
    if (degrees.empty()) return star_around(root, order);
    const auto by_degree = [&](Vertex a, Vertex b) { return degrees[index(a)] > degrees[index(b)]; };
    if (!std::is_sorted(order.begin() + 1, order.end(), by_degree)) {
        std::stable_sort(order.begin() + 1, order.end(), by_degree);
    }
    Tree tree{root, {}};
    tree.edges.reserve(order.size());
    std::size_t above = 0;
    int left = degrees[index(root)];
    for (std::size_t k = 1; k < order.size(); ++k) {
        while (left <= 0 && above + 1 < k) left = degrees[index(order[++above])] - 1;
        if (left <= 0) return std::nullopt;
        --left;
        tree.edges.push_back({order[above], order[k]});
    }
    return tree;
}

std::vector<Tree> trees_at_hand(const Problem& problem) {
    const Weights& weights = problem.weights();
    const Vertex start = start_of(problem, {});
    if (!weights.is_complete()) return {tree_of_fewest_hops(problem, start)};
    Tree path = weights.points().empty() ? path_by_number(problem.size()) : curve_path(weights);
    return {std::move(path), star_around(start, all_vertices(problem.size()))};
}

}  // namespace neuroprim
