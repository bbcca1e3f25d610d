#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "neuroprim/random.hpp"
#include "search/levels/level_moves.hpp"
#include "search/levels/level_profile.hpp"
#include "search/levels/level_tree.hpp"

namespace neuroprim::levels {

/// Simulated annealing over the levels of vertices: one proposed move at a time, taken if it pays or, by chance, if
/// it costs little for the temperature.
template <class Reach>
class LevelAnnealing {
public:
    /// Levels change of the vertices that are `movable` only, and not below what is allowed to a shallow one; the
    /// centre stays unless it is among them. What it is given must outlive it.
    LevelAnnealing(LevelTree& tree, Reach& reach, int hops, std::vector<Vertex> movable, ShallowVertex shallow = {})
        : tree_(&tree),
          reach_(&reach),
          moves_(tree, reach),
          hops_(hops),
          shallow_(shallow),
          movable_(std::move(movable)),
          is_movable_(index(tree.size()), 0) {
        for (const Vertex v : movable_) is_movable_[index(v)] = 1;
    }

    /// Proposes a move. Says whether it was taken.
    bool step(double temperature, Random& random) {
        if (--steps_to_tighten_ <= 0) {
            steps_to_tighten_ = steps_between_tightenings * tree_->size();
            reach_->tighten();
        }
        if (!propose(random)) return false;
        const double price = moves_.price(move_);
        if (price > 0 && price >= -temperature * std::log(1 - random.uniform())) return false;
        moves_.take();
        return true;
    }

    /// The move that was proposed last.
    [[nodiscard]] const LevelMove& move() const { return move_; }

private:
    /// How often a vertex makes way for the one above it: hubs are few, and matter for many.
    static constexpr double climbing = 0.5;
    /// How often a hub hands over to one of its children instead of moving alone.
    static constexpr double handing_over = 0.7;
    /// How often that is any vertex near it instead.
    static constexpr double nearby = 0.4;
    /// How often a vertex with children moves up, if it moves alone.
    static constexpr double rising = 0.3;
    /// How often a level that was chosen is passed over for the next one towards the root.
    static constexpr double passing = 0.6;
    static constexpr std::int64_t steps_between_tightenings = 20;

    bool propose(Random& random) {
        Vertex v = movable_[random.below(movable_.size())];
        while (tree_->parent(v) != no_vertex && random.uniform() < climbing) v = tree_->parent(v);
        if (!is_movable_[index(v)]) return false;
        move_ = {};
        const int level = tree_->level(v);
        if (level == 0) return move_centre(v, random);
        if (tree_->first_child(v) != no_vertex && random.uniform() < handing_over) return hand_over(v, random);
        const int deepest = deepest_level(v);
        if (level == deepest || (level > 1 && random.uniform() < rising)) {
            move_.up = v;
            move_.up_to = level - 1;
            while (move_.up_to > 1 && random.uniform() < passing) --move_.up_to;
            return level > 1;
        }
        move_.down = v;
        if (random.below(2) == 0) {
            move_.down_to = deepest;
            while (move_.down_to > level + 1 && random.uniform() < passing) --move_.down_to;
        } else {
            move_.down_to = level + 1;
            while (move_.down_to < deepest && random.uniform() < passing) ++move_.down_to;
        }
        return true;
    }

    bool hand_over(Vertex v, Random& random) {
        const Vertex heir = random.uniform() < nearby ? reach_->any_near(v, random) : any_child(v, random);
        const bool is_deeper = heir != no_vertex && tree_->level(heir) > tree_->level(v);
        return is_deeper && is_movable_[index(heir)] && replace(v, heir, random);
    }

    /// One of the children, or any vertex, becomes root or twin in its place.
    bool move_centre(Vertex v, Random& random) {
        Vertex heir = any_child(v, random);
        if (heir == no_vertex || random.below(2) == 0) heir = movable_[random.below(movable_.size())];
        return tree_->level(heir) > 0 && replace(v, heir, random);
    }

    bool replace(Vertex v, Vertex heir, Random& random) {
        const int deepest = deepest_level(v);
        const int down_to = random.below(2) == 0 ? std::min(tree_->level(heir), deepest) : deepest;
        move_ = {v, down_to, heir, tree_->level(v)};
        return down_to > tree_->level(v);
    }

    [[nodiscard]] int deepest_level(Vertex v) const { return v == shallow_.v ? shallow_.deepest : hops_; }

    [[nodiscard]] Vertex any_child(Vertex v, Random& random) const {
        Vertex result = no_vertex;
        std::uint64_t children = 0;
        for (Vertex x = tree_->first_child(v); x != no_vertex; x = tree_->next_sibling(x)) {
            if (random.below(++children) == 0) result = x;
        }
        return result;
    }

    LevelTree* tree_;
    Reach* reach_;
    LevelMoves<Reach> moves_;
    int hops_;
    ShallowVertex shallow_;
    std::vector<Vertex> movable_;
    std::vector<char> is_movable_;  // (n)
    LevelMove move_;
    std::int64_t steps_to_tighten_ = 0;
};

}  // namespace neuroprim::levels
