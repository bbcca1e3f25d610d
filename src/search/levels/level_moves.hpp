#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "search/levels/level_link.hpp"
#include "search/levels/level_tree.hpp"

namespace neuroprim::levels {

/// Gives every vertex its level and hangs it from the nearest one of a lower level; those of level 0, one or two, are
/// the centre. O(n) questions to `reach`.
template <class Reach>
void hang_by_levels(LevelTree& tree, Reach& reach, std::span<const std::int16_t> levels, int threads = 1) {
    constexpr std::size_t chunk = 1000;
    Vertex root = no_vertex;
    Vertex twin = no_vertex;
    for (Vertex v = 0; v < tree.size(); ++v) {
        tree.set_level(v, levels[index(v)]);
        if (levels[index(v)] == 0) (root == no_vertex ? root : twin) = v;
    }
    tree.set_root(root);
    tree.set_twin(twin);
    if (twin != no_vertex) tree.hang(twin, root, reach.weight(root, twin));
    reach.levels_changed();
    std::vector<LevelLink> links(index(tree.size()));
    parallel_for(threads, links.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto v = static_cast<Vertex>(k);
            if (tree.level(v) > 0) links[k] = reach.nearest(v, tree.level(v), v);
        }
    });
    for (Vertex v = 0; v < tree.size(); ++v) {
        if (tree.level(v) > 0) tree.hang(v, links[index(v)].to, links[index(v)].weight);
    }
    tree.sum_up();
    reach.tighten();
}

/// One vertex moves to a deeper level, one to a shallower level, or both: a hub closes, opens, or hands over to
/// another.
struct LevelMove {
    Vertex down = no_vertex;
    int down_to = 0;  ///< deeper than its level
    Vertex up = no_vertex;
    int up_to = 0;  ///< shallower than its level; 0 if it takes the place of the root or its twin, the deeper one
};

/// Prices moves of a tree in which every vertex hangs from the nearest one of a lower level. Who has to hang
/// elsewhere is found at once: the children that the deeper one loses, and all whom the shallower one is nearer.
template <class Reach>
class LevelMoves {
public:
    LevelMoves(LevelTree& tree, Reach& reach) : tree_(&tree), reach_(&reach) {}

    /// What the move would add to the cost.
    [[nodiscard]] double price(const LevelMove& move) {
        changes_.clear();
        move_ = move;
        delta_ = 0;
        if (move.up != no_vertex && move.up_to == 0) {
            exchange_centre();
        } else if (move.up != no_vertex) {
            change(move.up, reach_->nearest(move.up, move.up_to, excluded_below(move.up_to)));
        }
        if (move.down != no_vertex) {
            rehang(move.down, move.down_to);
            for (Vertex x = tree_->first_child(move.down); x != no_vertex; x = tree_->next_sibling(x)) {
                const bool is_lost = tree_->level(x) <= move.down_to && tree_->level(x) > 0;
                if (is_lost && x != move.up) rehang(x, tree_->level(x));
            }
        }
        if (move.up != no_vertex) {
            reach_->for_each_taker(move.up, move.up_to + 1, tree_->level(move.up), [&](Vertex x, double weight) {
                const bool is_lost =
                    move.down != no_vertex && tree_->parent(x) == move.down && tree_->level(x) <= move.down_to;
                if (x != move.up && x != move.down && !is_lost) change(x, {move.up, weight});
            });
        }
        return delta_;
    }

    /// Does the move priced last.
    void take() {
        if (move_.down != no_vertex) set_level(move_.down, move_.down_to);
        if (move_.up != no_vertex) set_level(move_.up, move_.up_to);
        if (move_.down == tree_->twin() && move_.up_to == 0) tree_->set_twin(move_.up);
        for (const auto& [v, link] : changes_) {
            if (link.to == no_vertex) {
                tree_->set_root(v);
            } else {
                tree_->hang(v, link.to, link.weight);
            }
            reach_->link_changed(v);
        }
    }

private:
    void set_level(Vertex v, int level) {
        tree_->set_level(v, level);
        reach_->level_changed(v);
    }

    /// The root hangs nowhere, and its twin from the root.
    void exchange_centre() {
        const Vertex twin = tree_->twin();
        if (move_.down == twin) return change(move_.up, {tree_->root(), reach_->weight(tree_->root(), move_.up)});
        change(move_.up, {no_vertex, 0});
        if (twin != no_vertex) change(twin, {move_.up, reach_->weight(move_.up, twin)});
    }

    /// The deeper one, where it will be too deep for a vertex of this level to hang from.
    [[nodiscard]] Vertex excluded_below(int level) const {
        return move_.down != no_vertex && move_.down_to >= level ? move_.down : no_vertex;
    }

    void rehang(Vertex v, int level) {
        LevelLink link = reach_->nearest(v, level, move_.down);
        if (move_.up != no_vertex && move_.up_to < level && level <= tree_->level(move_.up)) {
            const double weight = reach_->weight(move_.up, v);
            if (weight < link.weight) link = {move_.up, weight};
        }
        change(v, link);
    }

    void change(Vertex v, const LevelLink& link) {
        delta_ += link.weight - tree_->weight(v);
        changes_.emplace_back(v, link);
    }

    LevelTree* tree_;
    Reach* reach_;
    LevelMove move_;
    double delta_ = 0;
    std::vector<std::pair<Vertex, LevelLink>> changes_;  // of the move priced last
};

}  // namespace neuroprim::levels
