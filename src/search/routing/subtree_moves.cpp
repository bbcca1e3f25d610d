#include "search/routing/subtree_moves.hpp"

#include <algorithm>
#include <functional>

#include "search/routing/near_hubs.hpp"
#include "search/routing/rounding.hpp"

namespace neuroprim::routing {

namespace {

/// How much a leaf of `hub` can be better than the hub itself, at most, when `others` is the mass beyond the cut.
double leaf_slack(const RoutingTree& tree, Vertex hub, double others) {
    double most = 0;
    for (const Vertex leaf : tree.children(hub).subspan(tree.hub_children(hub).size())) {
        most = std::max(most, tree.mass(leaf) * tree.length_above(leaf));
    }
    return 2 * others * most;
}

}  // namespace

SubtreeMoves::Cut SubtreeMoves::cut_above(const RoutingTree& tree, Vertex lower) const {
    const double inner = tree.mass_below(lower);
    const double outer = tree.total_mass() - inner;
    const double length = tree.length_above(lower);
    const double sum_above = tree.sum(tree.parent(lower)) - tree.sum_below(lower) - inner * length;
    return {lower, inner, outer, inner * sum_above + outer * tree.sum_below(lower) + inner * outer * length};
}

/// `vertices` are those of the subtree, or its hubs, parents first.
void SubtreeMoves::sum_inside(const RoutingTree& tree, const Cut& cut, std::span<const Vertex> vertices) {
    sum_[index(cut.lower)] = tree.sum_below(cut.lower);
    for (const Vertex v : vertices) {
        if (v == cut.lower) continue;
        sum_[index(v)] = sum_[index(tree.parent(v))] + tree.length_above(v) * (cut.inner - 2 * tree.mass_below(v));
    }
}

/// `before` and `after` are the rest of the tree, or its hubs, parents first; the root is the first of `before`.
void SubtreeMoves::sum_outside(const RoutingTree& tree, const Cut& cut, std::span<const Vertex> before,
                               std::span<const Vertex> after) {
    for (Vertex v = tree.parent(cut.lower); v != no_vertex; v = tree.parent(v)) above_[index(v)] = true;
    const Vertex root = tree.root();
    sum_[index(root)] = tree.sum(root) - tree.sum_below(cut.lower) - cut.inner * tree.height(cut.lower);
    const auto visit = [&](Vertex v) {
        const double below = tree.mass_below(v) - (above_[index(v)] ? cut.inner : 0);
        sum_[index(v)] = sum_[index(tree.parent(v))] + tree.length_above(v) * (cut.outer - 2 * below);
    };
    for (const Vertex v : before.subspan(1)) visit(v);
    for (const Vertex v : after) visit(v);
    for (Vertex v = tree.parent(cut.lower); v != no_vertex; v = tree.parent(v)) above_[index(v)] = false;
}

void SubtreeMoves::gather_all_hubs(const RoutingTree& tree, const Cut& cut) {
    const std::span<const Vertex> hubs = tree.hubs();
    const auto first =
        static_cast<std::size_t>(std::lower_bound(hubs.begin(), hubs.end(), cut.lower,
                                                  [&](Vertex a, Vertex b) { return tree.place(a) < tree.place(b); }) -
                                 hubs.begin());
    std::size_t last = first;
    while (last < hubs.size() && tree.is_above(cut.lower, hubs[last])) ++last;
    sum_inside(tree, cut, hubs.subspan(first, last - first));
    sum_outside(tree, cut, hubs.first(first), hubs.subspan(last));
    for (std::size_t k = first; k < last; ++k) inside_.emplace_back(cut.outer * sum_[index(hubs[k])], hubs[k]);
    for (std::size_t k = 0; k < hubs.size(); ++k) {
        if (k < first || k >= last) outside_.emplace_back(cut.inner * sum_[index(hubs[k])], hubs[k]);
    }
}

void SubtreeMoves::gather_near_hubs(const RoutingTree& tree, const Cut& cut) {
    constexpr std::size_t most_inside = 6;
    const auto children = tree.hub_children(cut.lower);
    near_.assign(children.begin(),
                 children.begin() + static_cast<std::ptrdiff_t>(std::min(children.size(), most_inside)));
    sum_inside(tree, cut, near_);
    near_.push_back(cut.lower);
    for (const Vertex v : near_) inside_.emplace_back(cut.outer * sum_[index(v)], v);
    find_hubs_near(tree, tree.parent(cut.lower), near_);
    for (const Vertex u : near_) {
        if (u == cut.lower) continue;
        const double sum = tree.sum(u) - tree.sum_below(cut.lower) - cut.inner * tree.distance(u, cut.lower);
        outside_.emplace_back(cut.inner * sum, u);
    }
}

/// Pairs of hubs first; then, for each pair, the leaves around both that could beat the best so far.
SubtreeMoves::Move SubtreeMoves::best_near_hubs(const RoutingTree& tree, const Lengths& lengths, const Cut& cut) {
    inside_.clear();
    outside_.clear();
    if (tree.hubs().size() > many_hubs) {
        gather_near_hubs(tree, cut);
    } else {
        gather_all_hubs(tree, cut);
    }
    if (inside_.empty()) inside_.emplace_back(0, cut.lower);  // a single leaf
    slack_inside_.clear();
    slack_outside_.clear();
    for (const auto& end : inside_) slack_inside_.push_back(leaf_slack(tree, end.second, cut.outer));
    for (const auto& end : outside_) slack_outside_.push_back(leaf_slack(tree, end.second, cut.inner));

    Move move{cut.lower, no_vertex, no_vertex, 0};
    const double load = cut.inner * cut.outer;
    for (const auto& [inside_part, v] : inside_) {
        for (const auto& [outside_part, u] : outside_) {
            const double gain = cut.now - inside_part - outside_part - load * lengths(u, v);
            if (gain > move.gain) move = {cut.lower, v, u, gain};
        }
    }
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        for (std::size_t o = 0; o < outside_.size(); ++o) {
            const double most = cut.now - inside_[i].first - outside_[o].first + slack_inside_[i] + slack_outside_[o];
            if (most <= move.gain) continue;
            if (most - load * lengths(inside_[i].second, outside_[o].second) <= move.gain) continue;
            try_leaves(tree, lengths, cut, outside_[o], inside_[i], move);
        }
    }
    return move;
}

/// The hubs `outside` and `inside` with their leaves: each leaf adds what the way to its hub costs. Each leaf with
/// the other hub first; then leaves with leaves, of many only those that did best with the hub.
void SubtreeMoves::try_leaves(const RoutingTree& tree, const Lengths& lengths, const Cut& cut,
                              const Ends::value_type& outside, const Ends::value_type& inside, Move& move) {
    constexpr std::size_t most_leaves = 100;
    const auto [outside_part, g] = outside;
    const auto [inside_part, h] = inside;
    const double load = cut.inner * cut.outer;
    const auto keep_best = [&](Ends& ends) {
        if (ends.size() <= most_leaves) return;
        std::nth_element(ends.begin(), ends.begin() + most_leaves, ends.end(), std::greater<>());
        ends.resize(most_leaves);
    };

    outside_leaves_.clear();  // (gain with h, leaf of g)
    for (const Vertex u : tree.children(g).subspan(tree.hub_children(g).size())) {
        if (u == cut.lower) continue;
        const double part = outside_part + cut.inner * tree.length_above(u) * (cut.outer - 2 * tree.mass(u));
        const double gain = cut.now - inside_part - part - load * lengths(u, h);
        if (gain > move.gain) move = {cut.lower, h, u, gain};
        outside_leaves_.emplace_back(gain, u);
    }
    inside_leaves_.clear();  // (gain with g, leaf of h)
    for (const Vertex v : tree.children(h).subspan(tree.hub_children(h).size())) {
        const double part = inside_part + cut.outer * tree.length_above(v) * (cut.inner - 2 * tree.mass(v));
        const double gain = cut.now - part - outside_part - load * lengths(v, g);
        if (gain > move.gain) move = {cut.lower, v, g, gain};
        inside_leaves_.emplace_back(gain, v);
    }
    keep_best(outside_leaves_);
    keep_best(inside_leaves_);
    for (const auto& [v_gain, v] : inside_leaves_) {
        const double v_part = inside_part + cut.outer * tree.length_above(v) * (cut.inner - 2 * tree.mass(v));
        for (const auto& [u_gain, u] : outside_leaves_) {
            const double way = tree.length_above(u);
            if (v_gain + 2 * cut.inner * tree.mass(u) * way <= move.gain) continue;
            const double u_part = outside_part + cut.inner * way * (cut.outer - 2 * tree.mass(u));
            const double gain = cut.now - v_part - u_part - load * lengths(u, v);
            if (gain > move.gain) move = {cut.lower, v, u, gain};
        }
    }
}

SubtreeMoves::Move SubtreeMoves::best_pair(const RoutingTree& tree, const Lengths& lengths, const Cut& cut) {
    const auto subtree = tree.below(cut.lower);
    const std::size_t begin = index(tree.place(cut.lower));
    const auto before = tree.order().first(begin);
    const auto after = tree.order().subspan(begin + subtree.size());
    sum_inside(tree, cut, subtree);
    sum_outside(tree, cut, before, after);

    double least_inside = Weights::infinity;
    for (const Vertex v : subtree) least_inside = std::min(least_inside, cut.outer * sum_[index(v)]);
    outside_.clear();
    double least_outside = Weights::infinity;
    for (const auto part : {before, after}) {
        for (const Vertex u : part) {
            const double alone = cut.inner * sum_[index(u)];
            least_outside = std::min(least_outside, alone);
            if (alone + least_inside < cut.now) outside_.emplace_back(alone, u);
        }
    }
    inside_.clear();
    for (const Vertex v : subtree) {
        const double alone = cut.outer * sum_[index(v)];
        if (alone + least_outside < cut.now) inside_.emplace_back(alone, v);
    }
    std::sort(inside_.begin(), inside_.end());
    std::sort(outside_.begin(), outside_.end());

    Move move{cut.lower, no_vertex, no_vertex, 0};
    for (const auto& [inside_part, v] : inside_) {
        for (const auto& [outside_part, u] : outside_) {
            const double most = cut.now - inside_part - outside_part;
            if (most <= move.gain) break;
            const double gain = most - cut.inner * cut.outer * lengths(u, v);
            if (gain > move.gain) move = {cut.lower, v, u, gain};
        }
    }
    return move;
}

/// The same over the edges of a sparse graph that leave the subtree.
SubtreeMoves::Move SubtreeMoves::best_edge(const RoutingTree& tree, const Lengths& lengths, const Cut& cut) {
    sum_inside(tree, cut, tree.below(cut.lower));
    Move move{cut.lower, no_vertex, no_vertex, 0};
    for (const Vertex v : tree.below(cut.lower)) {
        lengths.weights().for_each_neighbour(v, [&](Vertex u, double w) {
            if (tree.is_above(cut.lower, u)) return;
            const double most = cut.now - cut.outer * sum_[index(v)] - cut.inner * cut.outer * w;
            if (most <= move.gain) return;
            const double outside_sum =
                tree.sum(u) - tree.sum_below(cut.lower) - cut.inner * tree.distance(u, cut.lower);
            const double gain = most - cut.inner * outside_sum;
            if (gain > move.gain) move = {cut.lower, v, u, gain};
        });
    }
    return move;
}

SubtreeMoves::Move SubtreeMoves::best(const RoutingTree& tree, const Lengths& lengths, Vertex lower) {
    sum_.resize(index(tree.size()));
    above_.resize(index(tree.size()), false);
    const Cut cut = cut_above(tree, lower);
    if (lengths.sparse()) return best_edge(tree, lengths, cut);
    if (lengths.metric()) return best_near_hubs(tree, lengths, cut);
    return best_pair(tree, lengths, cut);
}

bool SubtreeMoves::improve(RoutingTree& tree, const Lengths& lengths, Vertex lower) {
    const Move move = best(tree, lengths, lower);
    if (move.gain <= rounding * tree.cost()) return false;
    tree.regraft(move.lower, move.inside, move.outside);
    return true;
}

}  // namespace neuroprim::routing
