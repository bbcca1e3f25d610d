#include "search/routing/leaf_moves.hpp"

#include <algorithm>

#include "search/routing/near_hubs.hpp"
#include "search/routing/rounding.hpp"

namespace neuroprim::routing {

/// To all hubs in metric graphs, to all vertices otherwise.
void LeafMoves::find_all_distances(const RoutingTree& tree, const Lengths& lengths, Vertex from) {
    distance_.resize(index(tree.size()));
    const std::span<const Vertex> vertices = lengths.metric() ? std::span<const Vertex>(tree.hubs()) : tree.order();
    for (const Vertex v : vertices) distance_[index(v)] = -1;
    for (Vertex v = from; v != no_vertex; v = tree.parent(v))
        distance_[index(v)] = tree.height(from) - tree.height(v);
    // Parents come first: a vertex is one step farther than its parent, unless it is above.
    for (const Vertex v : vertices) {
        double& d = distance_[index(v)];
        if (d < 0) d = distance_[index(tree.parent(v))] + tree.length_above(v);
    }
    near_.assign(vertices.begin(), vertices.end());
}

/// Keeps what some leaf of `from` could want: by the triangle inequality from the leaf that is farthest away.
void LeafMoves::find_targets(const RoutingTree& tree, const Lengths& lengths, Vertex from) {
    if (lengths.metric() && tree.hubs().size() > many_hubs) {
        find_hubs_near(tree, from, near_);
        distance_.resize(index(tree.size()));
        for (const Vertex v : near_) distance_[index(v)] = tree.distance(v, from);
    } else {
        find_all_distances(tree, lengths, from);
    }
    double largest_mass = 0;
    double longest = 0;
    for (const Vertex leaf : tree.children(from).subspan(tree.hub_children(from).size())) {
        largest_mass = std::max(largest_mass, tree.mass(leaf));
        longest = std::max(longest, tree.length_above(leaf));
    }
    const double others = tree.total_mass() - largest_mass;
    const double most = tree.sum(from) + (tree.total_mass() + others) * longest;
    targets_.clear();
    for (const Vertex u : near_) {
        if (u == from) continue;
        const double alone = tree.sum(u) - largest_mass * distance_[index(u)];
        const double least = lengths.metric() ? alone + others * lengths(u, from) : alone;
        if (least < most) targets_.push_back({u, tree.sum(u), distance_[index(u)], least});
    }
}

Vertex LeafMoves::best_parent(const RoutingTree& tree, const Lengths& lengths, Vertex leaf, double& gain) const {
    const double mass = tree.mass(leaf);
    const double others = tree.total_mass() - mass;
    const double way = tree.length_above(leaf);
    const double now = tree.sum(tree.parent(leaf)) + others * way;
    double least = now;
    Vertex best = no_vertex;
    const auto offer = [&](Vertex u, double sum, double distance, double w) {
        const double value = sum - mass * distance + others * w;
        if (value < least) {
            least = value;
            best = u;
        }
    };
    if (lengths.sparse()) {
        lengths.weights().for_each_neighbour(
            leaf, [&](Vertex u, double w) { offer(u, tree.sum(u), tree.distance(u, tree.parent(leaf)), w); });
    } else {
        const double own_part = lengths.metric() ? others * way : 0;
        for (const Target& target : targets_) {
            if (target.least - own_part >= least || target.vertex == leaf) continue;
            offer(target.vertex, target.sum, target.distance, lengths(target.vertex, leaf));
        }
    }
    gain = mass * (now - least);
    return best;
}

void LeafMoves::look_from(const RoutingTree& tree, const Lengths& lengths, Vertex parent) {
    const auto leaves = tree.children(parent).subspan(tree.hub_children(parent).size());
    if (leaves.empty()) return;
    if (!lengths.sparse()) find_targets(tree, lengths, parent);
    for (const Vertex leaf : leaves) {
        double gain = 0;
        const Vertex target = best_parent(tree, lengths, leaf, gain);
        if (target == no_vertex || gain <= rounding * tree.cost()) continue;
        moves_.push_back({leaf, target});
        gains_.push_back(gain);
    }
}

bool LeafMoves::improve(RoutingTree& tree, const Lengths& lengths, std::int64_t since, const StopToken& stop) {
    moves_.clear();
    gains_.clear();
    for (const Vertex hub : tree.hubs()) {
        if (!changed_nearby(tree, hub, since)) continue;
        look_from(tree, lengths, hub);
        if (stop.expired()) break;
    }
    return !moves_.empty() && move_all(tree);
}

/// All moves at once, as leaves hardly meddle with each other; the best one alone when they do.
bool LeafMoves::move_all(RoutingTree& tree) {
    const auto best = static_cast<std::size_t>(std::max_element(gains_.begin(), gains_.end()) - gains_.begin());
    const Edge single = moves_[best];
    if (moves_.size() > 1) {
        // A leaf that became a parent stays where it is.
        std::vector<bool> is_target(index(tree.size()), false);
        std::vector<bool> moved(index(tree.size()), false);
        std::erase_if(moves_, [&](const Edge& move) {
            if (is_target[index(move.u)] || moved[index(move.v)]) return true;
            is_target[index(move.v)] = true;
            moved[index(move.u)] = true;
            return false;
        });
        kept_parents_ = tree.parents();
        const double before = tree.cost();
        tree.move_leaves(moves_);
        if (tree.cost() < before - 0.5 * gains_[best]) return true;
        tree.restore(kept_parents_);
    }
    tree.move_leaves({&single, 1});
    return true;
}

}  // namespace neuroprim::routing
