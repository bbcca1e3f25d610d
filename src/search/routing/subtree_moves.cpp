#include "search/routing/subtree_moves.hpp"

#include <algorithm>

#include "search/routing/rounding.hpp"

namespace neuroprim::routing {

namespace {

/// Ends of each side that are tried; only trees of thousands have more that can be better.
constexpr std::size_t most_ends = 600;

}  // namespace

void SubtreeMoves::sum_inside(const RoutingTree& tree, Vertex lower) {
    const double mass = tree.mass_below(lower);
    sum_[index(lower)] = tree.sum_below(lower);
    for (const Vertex v : tree.below(lower).subspan(1)) {
        sum_[index(v)] = sum_[index(tree.parent(v))] + tree.length_above(v) * (mass - 2 * tree.mass_below(v));
    }
}

void SubtreeMoves::sum_outside(const RoutingTree& tree, Vertex lower) {
    const double cut = tree.mass_below(lower);
    const double mass = tree.total_mass() - cut;
    const Vertex root = tree.root();
    for (Vertex v = tree.parent(lower); v != no_vertex; v = tree.parent(v)) above_[index(v)] = true;
    sum_[index(root)] = tree.sum(root) - tree.sum_below(lower) - cut * tree.height(lower);
    const auto visit = [&](Vertex v) {
        const double below = tree.mass_below(v) - (above_[index(v)] ? cut : 0);
        sum_[index(v)] = sum_[index(tree.parent(v))] + tree.length_above(v) * (mass - 2 * below);
    };
    const auto order = tree.order();
    const std::size_t begin = index(tree.place(lower));
    for (const Vertex v : order.subspan(1, begin - 1)) visit(v);
    for (const Vertex v : order.subspan(begin + tree.below(lower).size())) visit(v);
    for (Vertex v = tree.parent(lower); v != no_vertex; v = tree.parent(v)) above_[index(v)] = false;
}

/// Hubs stay, and as many others as there is room for, evenly chosen.
void SubtreeMoves::thin_out(const RoutingTree& tree, Ends& ends, Random& random) const {
    if (ends.size() <= most_ends) return;
    const double share = static_cast<double>(most_ends) / static_cast<double>(ends.size());
    std::erase_if(ends, [&](const auto& end) { return tree.is_leaf(end.second) && random.uniform() >= share; });
    if (ends.size() > 2 * most_ends) ends.resize(2 * most_ends);
}

SubtreeMoves::Move SubtreeMoves::best_pair(const RoutingTree& tree, const Lengths& lengths, Vertex lower,
                                           Random& random) {
    sum_inside(tree, lower);
    sum_outside(tree, lower);
    const double inner = tree.mass_below(lower);
    const double outer = tree.total_mass() - inner;
    const double now = inner * sum_[index(tree.parent(lower))] + outer * sum_[index(lower)] +
                       inner * outer * tree.length_above(lower);

    const auto subtree = tree.below(lower);
    double least_inside = Weights::infinity;
    for (const Vertex v : subtree) least_inside = std::min(least_inside, outer * sum_[index(v)]);
    outside_.clear();
    double least_outside = Weights::infinity;
    const auto consider = [&](std::span<const Vertex> vertices) {
        for (const Vertex u : vertices) {
            const double part = inner * sum_[index(u)];
            least_outside = std::min(least_outside, part);
            if (part + least_inside < now) outside_.emplace_back(part, u);
        }
    };
    const std::size_t begin = index(tree.place(lower));
    consider(tree.order().first(begin));
    consider(tree.order().subspan(begin + subtree.size()));
    inside_.clear();
    for (const Vertex v : subtree) {
        const double part = outer * sum_[index(v)];
        if (part + least_outside < now) inside_.emplace_back(part, v);
    }
    std::sort(inside_.begin(), inside_.end());
    std::sort(outside_.begin(), outside_.end());
    thin_out(tree, inside_, random);
    thin_out(tree, outside_, random);

    Move move{lower, no_vertex, no_vertex, 0};
    double least = now;
    for (const auto& [inside_part, v] : inside_) {
        for (const auto& [outside_part, u] : outside_) {
            const double alone = inside_part + outside_part;
            if (alone >= least) break;
            const double value = alone + inner * outer * lengths(u, v);
            if (value < least) {
                least = value;
                move.inside = v;
                move.outside = u;
            }
        }
    }
    move.gain = now - least;
    return move;
}

/// The same over the edges of a sparse graph that leave the subtree.
SubtreeMoves::Move SubtreeMoves::best_edge(const RoutingTree& tree, const Lengths& lengths, Vertex lower) {
    sum_inside(tree, lower);
    const double inner = tree.mass_below(lower);
    const double outer = tree.total_mass() - inner;
    const auto outside_sum = [&](Vertex u) {
        return tree.sum(u) - tree.sum_below(lower) - inner * tree.distance(u, lower);
    };
    const double now = inner * outside_sum(tree.parent(lower)) + outer * sum_[index(lower)] +
                       inner * outer * tree.length_above(lower);
    Move move{lower, no_vertex, no_vertex, 0};
    double least = now;
    for (const Vertex v : tree.below(lower)) {
        lengths.weights().for_each_neighbour(v, [&](Vertex u, double w) {
            if (tree.is_above(lower, u)) return;
            const double alone = outer * sum_[index(v)] + inner * outer * w;
            if (alone >= least) return;
            const double value = alone + inner * outside_sum(u);
            if (value < least) {
                least = value;
                move.inside = v;
                move.outside = u;
            }
        });
    }
    move.gain = now - least;
    return move;
}

SubtreeMoves::Move SubtreeMoves::best(const RoutingTree& tree, const Lengths& lengths, Vertex lower, Random& random) {
    sum_.resize(index(tree.size()));
    above_.resize(index(tree.size()), false);
    return lengths.sparse() ? best_edge(tree, lengths, lower) : best_pair(tree, lengths, lower, random);
}

bool SubtreeMoves::improve(RoutingTree& tree, const Lengths& lengths, Vertex lower, Random& random) {
    const Move move = best(tree, lengths, lower, random);
    if (move.gain <= rounding * tree.cost()) return false;
    tree.regraft(move.lower, move.inside, move.outside);
    return true;
}

}  // namespace neuroprim::routing
