#include "search/routing/leaf_moves.hpp"

#include <algorithm>

#include "search/routing/near_hubs.hpp"
#include "search/routing/rounding.hpp"

namespace neuroprim::routing {

void LeafMoves::find_distances(const RoutingTree& tree, const Lengths& lengths, Vertex from) {
    distance_.resize(index(tree.size()));
    if (few_targets_) {
        find_hubs_near(tree, from, targets_);
        sort_targets(tree);
        farthest_ = 0;
        for (const Vertex v : targets_) {
            distance_[index(v)] = tree.distance(v, from);
            farthest_ = std::max(farthest_, distance_[index(v)]);
        }
        return;
    }
    for (const Vertex v : targets_) distance_[index(v)] = -1;
    farthest_ = 0;
    for (Vertex v = from; v != no_vertex; v = tree.parent(v))
        distance_[index(v)] = tree.height(from) - tree.height(v);
    const auto visit = [&](Vertex v) {
        double& d = distance_[index(v)];
        if (d < 0) d = distance_[index(tree.parent(v))] + tree.length_above(v);
        farthest_ = std::max(farthest_, d);
    };
    // Parents first: a vertex is one step farther than its parent, unless it is above.
    if (lengths.metric()) {
        for (const Vertex v : tree.hubs()) visit(v);
    } else {
        for (const Vertex v : tree.order()) visit(v);
    }
}

Vertex LeafMoves::best_parent(const RoutingTree& tree, const Lengths& lengths, Vertex leaf, double& gain) const {
    const double mass = tree.mass(leaf);
    const double others = tree.total_mass() - mass;
    const double now = tree.sum(tree.parent(leaf)) + others * tree.length_above(leaf);
    double least = now;
    Vertex best = no_vertex;
    const auto offer = [&](Vertex u, double w, double distance) {
        const double value = tree.sum(u) - mass * distance + others * w;
        if (value < least) {
            least = value;
            best = u;
        }
    };
    if (lengths.sparse()) {
        lengths.weights().for_each_neighbour(
            leaf, [&](Vertex u, double w) { offer(u, w, tree.distance(u, tree.parent(leaf))); });
    } else {
        for (const Vertex u : targets_) {
            if (tree.sum(u) - mass * farthest_ >= least) break;
            if (u != leaf) offer(u, lengths(u, leaf), distance_[index(u)]);
        }
    }
    gain = mass * (now - least);
    return best;
}

void LeafMoves::look_from(const RoutingTree& tree, const Lengths& lengths, Vertex parent) {
    bool prepared = false;
    for (const Vertex leaf : tree.children(parent)) {
        if (!tree.is_leaf(leaf)) continue;
        if (!prepared && !lengths.sparse()) find_distances(tree, lengths, parent);
        prepared = true;
        double gain = 0;
        const Vertex target = best_parent(tree, lengths, leaf, gain);
        if (target == no_vertex || gain <= rounding * tree.cost()) continue;
        moves_.push_back({leaf, target});
        gains_.push_back(gain);
    }
}

void LeafMoves::sort_targets(const RoutingTree& tree) {
    std::sort(targets_.begin(), targets_.end(),
              [&](Vertex a, Vertex b) { return tree.sum(a) != tree.sum(b) ? tree.sum(a) < tree.sum(b) : a < b; });
}

bool LeafMoves::improve(RoutingTree& tree, const Lengths& lengths, std::int64_t since, const Watch& watch) {
    if (lengths.sparse()) {
        targets_.clear();
    } else if (lengths.metric()) {
        targets_ = tree.hubs();
    } else {
        targets_.assign(tree.order().begin(), tree.order().end());
    }
    std::sort(targets_.begin(), targets_.end(),
              [&](Vertex a, Vertex b) { return tree.sum(a) != tree.sum(b) ? tree.sum(a) < tree.sum(b) : a < b; });
    moves_.clear();
    gains_.clear();
    for (const Vertex hub : tree.hubs()) {
        if (!changed_nearby(tree, hub, since)) continue;
        look_from(tree, lengths, hub);
        if (watch.expired()) return false;
    }
    if (moves_.empty()) return false;

    // All at once, as leaves hardly meddle with each other; a leaf that became a parent stays where it is.
    const auto best = static_cast<std::size_t>(std::max_element(gains_.begin(), gains_.end()) - gains_.begin());
    const Edge single = moves_[best];
    const double promised = gains_[best];
    if (moves_.size() > 1) {
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
        if (tree.cost() < before - 0.5 * promised) return true;
        tree.restore(kept_parents_);
    }
    tree.move_leaves({&single, 1});
    return true;
}

}  // namespace neuroprim::routing
