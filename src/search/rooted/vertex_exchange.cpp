#include "search/rooted/vertex_exchange.hpp"

#include <utility>
#include <vector>

namespace neuroprim::rooted {

namespace {

/// What the edges of `a` weigh more when they end at `b`; that between the two stays.
double moved_cost(const Weights& weights, const ResourceTree& tree, Vertex a, Vertex b) {
    double cost = 0;
    if (tree.parent(a) != b) cost += weights(tree.parent(a), b) - tree.weight_above(a);
    for (Vertex child = tree.first_child(a); child != no_vertex; child = tree.next_sibling(child)) {
        if (child == b) continue;
        if (!tree.may_detach(child)) return Weights::infinity;
        cost += weights(b, child) - tree.weight_above(child);
    }
    return cost;
}

std::vector<Vertex> cut_children(ResourceTree& tree, Vertex v, Vertex but) {
    std::vector<Vertex> children;
    for (Vertex child = tree.first_child(v); child != no_vertex; child = tree.next_sibling(child)) {
        if (child != but) children.push_back(child);
    }
    for (const Vertex child : children) tree.detach(child);
    return children;
}

bool hang(ResourceTree& tree, Vertex u, Vertex v) {
    if (!tree.fits(tree.place(u), u, v)) return false;
    tree.attach(u, v);
    return true;
}

bool hang_all(ResourceTree& tree, Vertex u, const std::vector<Vertex>& children) {
    for (const Vertex child : children) {
        if (!hang(tree, u, child)) return false;
    }
    return true;
}

}  // namespace

bool gains_by_exchanges(const TreeSpec& spec) {
    const bool weighs_alone = spec.objective == Objective::length;  // whatever hangs below an edge
    return weighs_alone && !spec.degrees.empty() && (spec.hops || spec.diameter);
}

double exchange_cost(const Problem& problem, const ResourceTree& tree, Vertex a, Vertex b) {
    if (!tree.inside(a) || !tree.inside(b) || !tree.may_detach(a) || !tree.may_detach(b)) return Weights::infinity;
    return moved_cost(problem.weights(), tree, a, b) + moved_cost(problem.weights(), tree, b, a);
}

bool exchange(ResourceTree& tree, Vertex a, Vertex b) {
    if (tree.parent(a) == b) std::swap(a, b);
    const bool is_edge = tree.parent(b) == a;
    const Vertex above_a = tree.parent(a);
    const Vertex above_b = is_edge ? b : tree.parent(b);
    const std::vector<Vertex> below_a = cut_children(tree, a, b);
    const std::vector<Vertex> below_b = cut_children(tree, b, a);
    tree.detach(b);
    tree.detach(a);
    // What is nearer to the root hangs first, so that places below it can be asked for.
    const bool hangs = tree.place(above_a).top == tree.root();
    const auto hang_b = [&] { return hang(tree, above_a, b) && hang_all(tree, b, below_a); };
    const auto hang_a = [&] { return hang(tree, above_b, a) && hang_all(tree, a, below_b); };
    return hangs ? hang_b() && hang_a() : hang_a() && hang_b();
}

}  // namespace neuroprim::rooted
