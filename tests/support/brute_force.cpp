#include "support/brute_force.hpp"

#include <algorithm>

namespace neuroprim::testing {

namespace {

/// Decodes a Prüfer sequence over 0 … k−1 and names the vertices.
Tree tree_of(const std::vector<std::size_t>& sequence, const std::vector<Vertex>& vertices) {
    const std::size_t k = vertices.size();
    std::vector<int> degree(k, 1);
    for (const std::size_t v : sequence) ++degree[v];
    Tree tree{vertices.front(), {}};
    for (const std::size_t v : sequence) {
        const auto leaf = static_cast<std::size_t>(std::find(degree.begin(), degree.end(), 1) - degree.begin());
        tree.edges.push_back({vertices[leaf], vertices[v]});
        --degree[leaf];
        --degree[v];
    }
    const auto first = std::find(degree.begin(), degree.end(), 1);
    const auto second = std::find(first + 1, degree.end(), 1);
    tree.edges.push_back({vertices[static_cast<std::size_t>(first - degree.begin())],
                          vertices[static_cast<std::size_t>(second - degree.begin())]});
    return tree;
}

}  // namespace

void for_each_tree(const std::vector<Vertex>& vertices, const std::function<void(const Tree&)>& visit) {
    const std::size_t k = vertices.size();
    if (k == 0) return;
    if (k == 1) return visit(Tree{vertices.front(), {}});
    std::vector<std::size_t> sequence(k - 2, 0);
    while (true) {
        visit(tree_of(sequence, vertices));
        std::size_t digit = 0;
        while (digit < sequence.size() && ++sequence[digit] == k) sequence[digit++] = 0;
        if (digit == sequence.size()) return;
    }
}

void for_each_candidate(const Problem& problem, const std::function<void(const Tree&)>& visit) {
    const auto n = static_cast<unsigned>(problem.size());
    for (unsigned subset = 1; subset < (1U << n); ++subset) {
        std::vector<Vertex> vertices;
        bool holds_required = true;
        for (Vertex v = 0; v < problem.size(); ++v) {
            if (subset >> v & 1U) {
                vertices.push_back(v);
            } else if (problem.required(v)) {
                holds_required = false;
            }
        }
        if (holds_required) for_each_tree(vertices, visit);
    }
}

std::optional<double> optimum(const Problem& problem) {
    std::optional<double> best;
    for_each_candidate(problem, [&](const Tree& tree) {
        if (problem.violation(tree)) return;
        const double cost = problem.cost(tree);
        if (!best || cost < *best) best = cost;
    });
    return best;
}

}  // namespace neuroprim::testing
