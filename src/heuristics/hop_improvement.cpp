#include "heuristics/hop_improvement.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/positions.hpp"
#include "heuristics/hop_reach.hpp"
#include "heuristics/hop_tree.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

/// Gains below this part of the weights at stake are rounding.
constexpr double least_gain = 1e-9;
/// A hub with more children than this is not replaced by each of them.
constexpr std::size_t most_replacements = 40;

template <class Reach>
class HopDescent {
public:
    HopDescent(HopTree& tree, Reach reach, const Weights& weights, int hops)
        : tree_(tree), reach_(std::move(reach)), weights_(weights), hops_(hops), waiting_(index(tree.size()), true) {}

    void run(const StopToken& stop) {
        const std::vector<Vertex> order = reach_.order();
        // Cheap and worth the most: with little time this is all there is.
        if (!pass(order, stop, [this](Vertex v) { return rehang_nearer(v); })) return;
        bool any = true;
        while (any) {
            any = false;
            const bool whole = pass(order, stop, [&](Vertex v) {
                if (!waiting_[index(v)]) return false;
                waiting_[index(v)] = false;
                const bool better = improve(v);
                any = any || better;
                return better;
            });
            if (!whole) return;
        }
    }

private:
    struct Child {
        Vertex vertex;
        HopLink other;  // where else it could hang
        double loss;    // if it does
    };

    /// Calls `move(v)` for every vertex but the root till it finds nothing more. False when stopped.
    template <class Move>
    bool pass(const std::vector<Vertex>& order, const StopToken& stop, Move&& move) {
        constexpr std::size_t vertices_between_looks = 64;
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (k % vertices_between_looks == 0 && stop.expired()) return false;
            if (order[k] == tree_.root()) continue;
            while (move(order[k])) {
            }
        }
        return true;
    }

    bool improve(Vertex v) {
        if (rehang_nearer(v) || open(v)) return true;
        if (tree_.first_child(v) == no_vertex) return false;
        collect_children(v);
        return close(v) || replace(v);
    }

    [[nodiscard]] bool worth(double gain, double scale) const { return gain > least_gain * scale; }

    void rehang(Vertex v, Vertex u, double weight) {
        wake(v);
        wake(tree_.parent(v));
        wake(u);
        tree_.rehang(v, u, weight, [this](Vertex x) { reach_.update(x); });
    }

    void wake(Vertex v) {
        waiting_[index(v)] = true;
        reach_.for_each_close(v, [this](Vertex u) { waiting_[index(u)] = true; });
    }

    bool rehang_nearer(Vertex v) {
        const double now = tree_.weight(v);
        const HopLink link = reach_.nearest(v, hops_ - 1 - tree_.height(v), now, v);
        if (link.to == no_vertex || !worth(now - link.weight, now)) return false;
        rehang(v, link.to, link.weight);
        return true;
    }

    /// From deep to shallow, only vertices nearer than all others of their depth are worth a look.
    bool open(Vertex v) {
        takers_.clear();
        double all = 0;
        reach_.for_each_taker(v, [&](Vertex x, double weight) {
            if (tree_.height(x) > hops_ - 2 || tree_.is_below(v, x)) return;
            const double saving = tree_.weight(x) - weight;
            takers_.push_back({x, {v, weight}, saving});
            all += saving;
        });
        if (takers_.empty()) return false;
        const double now = tree_.weight(v);
        HopLink best;
        double most = least_gain * (now + all);
        for (int depth = tree_.depth(v) - 2; depth >= 0;) {
            const HopLink link = reach_.nearest(v, depth, now + all - most, v);
            if (link.to == no_vertex) break;
            depth = tree_.depth(link.to) - 1;
            const double gain = now - link.weight + saving_below(link.to, tree_.depth(link.to) + 1);
            if (gain > most) {
                most = gain;
                best = link;
            }
        }
        if (best.to == no_vertex) return false;
        rehang(v, best.to, best.weight);
        for (const auto& [x, link, saving] : takers_) {
            const bool fits = tree_.depth(v) + 1 + tree_.height(x) <= hops_;
            if (fits && !tree_.is_below(v, x) && link.weight < tree_.weight(x)) rehang(x, v, link.weight);
        }
        return true;
    }

    /// What the takers save that may follow when v hangs from `u` and has this depth: all that fit, except those that
    /// u itself hangs from.
    [[nodiscard]] double saving_below(Vertex u, int depth) const {
        double sum = 0;
        for (const auto& [x, link, saving] : takers_) {
            if (depth + 1 + tree_.height(x) <= hops_ && !tree_.is_below(u, x)) sum += saving;
        }
        return sum;
    }

    void collect_children(Vertex v) {
        children_.clear();
        for (Vertex x = tree_.first_child(v); x != no_vertex; x = tree_.next_sibling(x)) {
            children_.push_back({x, {}, Weights::infinity});
        }
        // A child that loses more than v could ever gain is as good as one that has nowhere to go.
        const bool many = children_.size() > 4 * most_replacements;
        double left = tree_.weight(v);
        for (auto& [x, other, loss] : children_) {
            if (many && left <= 0) break;
            const double now = tree_.weight(x);
            other = reach_.nearest(x, hops_ - 1 - tree_.height(x), now + tree_.weight(v), v);
            if (other.to != no_vertex) loss = std::max(0.0, other.weight - now);
            left -= loss;
        }
    }

    /// The deeper v goes, the nearer its parent and the more children lose their place.
    bool close(Vertex v) {
        const double now = tree_.weight(v);
        HopLink best;
        double most = least_gain * now;
        for (int depth = hops_ - 1; depth + tree_.height(v) >= hops_;) {
            const HopLink link = reach_.nearest(v, depth, now - most, v);
            if (link.to == no_vertex) break;
            depth = tree_.depth(link.to) - 1;
            double gain = now - link.weight;
            for (const auto& child : children_) {
                if (tree_.depth(link.to) + 2 + tree_.height(child.vertex) > hops_) gain -= child.loss;
            }
            if (gain > most) {
                most = gain;
                best = link;
            }
        }
        if (best.to == no_vertex) return false;
        const int depth = tree_.depth(best.to) + 1;
        for (const auto& [x, other, loss] : children_) {
            if (depth + 1 + tree_.height(x) > hops_) rehang(x, other.to, other.weight);
        }
        rehang(v, best.to, best.weight);
        return true;
    }

    /// The child that takes the place hangs from v's parent or from another as shallow; v hangs from the child, and
    /// so do the other children, or from elsewhere.
    bool replace(Vertex v) {
        const std::size_t tried = std::min(children_.size(), most_replacements);
        const auto nearer = [&](const Child& a, const Child& b) {
            return std::pair(tree_.weight(a.vertex), a.vertex) < std::pair(tree_.weight(b.vertex), b.vertex);
        };
        std::partial_sort(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(tried), children_.end(),
                          nearer);
        const int depth = tree_.depth(v);
        double most = least_gain * tree_.weight(v);
        HopLink best;
        Vertex heir = no_vertex;
        for (std::size_t k = 0; k < tried; ++k) {
            const Vertex candidate = children_[k].vertex;
            double gain = tree_.weight(v);
            for (const Child& child : children_) {
                if (child.vertex == candidate) continue;
                const double change = weights_(candidate, child.vertex) - tree_.weight(child.vertex);
                gain -= std::min(change, child.loss);
            }
            if (gain <= most) continue;
            const HopLink link = reach_.nearest(candidate, depth - 1, gain - most, v);
            if (link.to == no_vertex) continue;
            most = gain - link.weight;
            best = link;
            heir = candidate;
        }
        if (heir == no_vertex) return false;
        const double edge = tree_.weight(heir);
        rehang(heir, best.to, best.weight);
        for (const auto& [x, other, loss] : children_) {
            if (x == heir) continue;
            const double weight = weights_(heir, x);
            if (weight - tree_.weight(x) <= loss) {
                rehang(x, heir, weight);
            } else {
                rehang(x, other.to, other.weight);
            }
        }
        rehang(v, heir, edge);
        return true;
    }

    HopTree& tree_;
    Reach reach_;
    const Weights& weights_;
    int hops_;
    std::vector<bool> waiting_;    // (n) something near it has changed since it was looked at
    std::vector<Child> takers_;    // of the vertex in hand
    std::vector<Child> children_;  // of the vertex in hand
};

}  // namespace

Tree improved_within_hops(const Tree& tree, const Weights& weights, Vertex root, int hops, const StopToken& stop) {
    if (weights.size() < 3 || hops < 2 || stop.expired()) return tree;
    HopTree work(tree, weights, root);
    if (weights.form() != Weights::Form::points) {
        HopDescent(work, EdgeHopReach(weights, work), weights, hops).run(stop);
        return work.tree();
    }
    try {
        with_positions(weights.points(), weights.metric(),
                       [&]<std::size_t Dim, class Norm>(std::vector<Position<Dim>> positions, Norm) {
                           PointHopReach<Dim, Norm> reach(std::move(positions), weights, work, stop);
                           HopDescent(work, std::move(reach), weights, hops).run(stop);
                       });
    } catch (const Interrupted&) {
        return tree;  // before the first move
    }
    return work.tree();
}

}  // namespace neuroprim
