#include "search/rooted/tree_snapshot.hpp"

#include <algorithm>
#include <utility>

#include "search/rooted/resource_tree.hpp"

namespace neuroprim::rooted {

TreeSnapshot::TreeSnapshot(const Problem& problem, Vertex root_vertex, Vertex twin_vertex,
                           std::vector<Vertex> parents)
    : root(root_vertex), twin(twin_vertex), parent(std::move(parents)) {
    const TreeSpec& spec = problem.spec();
    const std::size_t n = parent.size();
    begin_.assign(n + 2, 0);
    for (const Vertex u : parent) {
        if (u != no_vertex) ++begin_[index(u) + 2];
    }
    for (std::size_t v = 2; v < n + 2; ++v) begin_[v] += begin_[v - 1];
    children_.resize(begin_[n + 1]);
    for (std::size_t v = 0; v < n; ++v) {
        if (parent[v] != no_vertex) children_[begin_[index(parent[v]) + 1]++] = static_cast<Vertex>(v);
    }
    begin_.pop_back();

    place.assign(n, 0);
    end.assign(n, 0);
    hops.assign(n, 0);
    way.assign(n, 0);
    order.reserve(n);
    std::vector<Vertex> waiting = {root};
    while (!waiting.empty()) {
        const Vertex v = waiting.back();
        waiting.pop_back();
        place[index(v)] = static_cast<Vertex>(order.size());
        order.push_back(v);
        const auto below = children(v);
        waiting.insert(waiting.end(), below.begin(), below.end());
        const Vertex u = parent[index(v)];
        if (u == no_vertex) continue;
        hops[index(v)] = hops[index(u)] + (v == twin ? 0 : 1);
        if (spec.length) way[index(v)] = way[index(u)] + problem.weights()(u, v);
    }
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
        end[index(*v)] = std::max(end[index(*v)], place[index(*v)] + 1);
        const Vertex u = parent[index(*v)];
        if (u == no_vertex) continue;
        end[index(u)] = std::max(end[index(u)], end[index(*v)]);
    }
}

TreeSnapshot snapshot_of(const Problem& problem, const Tree& tree) {
    if (!ResourceTree::has_centre(problem.spec())) {
        const Vertex root = *problem.spec().root;
        return {problem, root, no_vertex, hang(tree, root, problem.size()).parent};
    }
    ResourceTree rooted(problem);  // it knows the centre
    rooted.load(tree);
    std::vector<Vertex> parent(index(problem.size()));
    for (Vertex v = 0; v < problem.size(); ++v) parent[index(v)] = rooted.parent(v);
    return {problem, rooted.root(), rooted.twin(), std::move(parent)};
}

}  // namespace neuroprim::rooted
