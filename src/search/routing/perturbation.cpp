#include "search/routing/perturbation.hpp"

#include <algorithm>
#include <vector>

namespace neuroprim::routing {

namespace {

Vertex any_of(std::span<const Vertex> vertices, Random& random) {
    return vertices[random.below(vertices.size())];
}

std::vector<Vertex> neighbours_in(const RoutingTree& tree, Vertex v) {
    const auto children = tree.children(v);
    std::vector<Vertex> result(children.begin(), children.end());
    if (tree.parent(v) != no_vertex) result.push_back(tree.parent(v));
    return result;
}

/// A neighbour of `hub` takes those of its neighbours that are nearer to itself, give or take.
void new_hub(RoutingTree& tree, const Lengths& lengths, Random& random, Vertex hub, Vertex to) {
    const double favour = 0.7 + 0.8 * random.uniform();
    std::vector<Vertex> moved;
    for (const Vertex x : neighbours_in(tree, hub)) {
        if (x != to && lengths(x, to) < favour * lengths(x, hub)) moved.push_back(x);
    }
    tree.shift(hub, to, moved);
    tree.refresh();
}

/// All neighbours of `hub` go over to one of them, as far as the graph has the edges.
void dissolve(RoutingTree& tree, const Lengths& lengths, Vertex hub, Vertex to) {
    std::vector<Vertex> moved;
    for (const Vertex x : neighbours_in(tree, hub)) {
        if (x != to && lengths(x, to) < Weights::infinity) moved.push_back(x);
    }
    tree.shift(hub, to, moved);
    tree.refresh();
}

void scatter(RoutingTree& tree, const Lengths& lengths, Random& random) {
    const std::size_t wanted = 1 + random.below(4);
    for (std::size_t k = 0; k < wanted; ++k) {
        const Vertex lower = any_of(random.below(2) == 0 ? std::span(tree.hubs()) : tree.order(), random);
        const Vertex target = any_of(random.below(3) > 0 ? std::span(tree.hubs()) : tree.order(), random);
        if (lower == tree.root() || tree.is_above(lower, target)) continue;
        const Vertex inside = any_of(tree.below(lower), random);
        if (lengths(inside, target) < Weights::infinity) tree.regraft(lower, inside, target);
    }
}

}  // namespace

void perturb(RoutingTree& tree, const Lengths& lengths, Random& random) {
    const std::size_t kind = random.below(4);
    if (kind == 0) return scatter(tree, lengths, random);
    // A random vertex's parent is a hub in proportion to its children.
    const Vertex child = any_of(tree.order().subspan(1), random);
    const Vertex hub = tree.parent(child);
    if (kind == 1) {
        const Vertex small = any_of(tree.hubs(), random);
        const std::vector<Vertex> around = neighbours_in(tree, small);
        return dissolve(tree, lengths, small, any_of(around, random));
    }
    if (kind == 2) return new_hub(tree, lengths, random, hub, child);
    scatter(tree, lengths, random);
    const Vertex again = any_of(tree.order().subspan(1), random);
    new_hub(tree, lengths, random, tree.parent(again), again);
}

}  // namespace neuroprim::routing
