#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/kd_tree.hpp"
#include "neuroprim/random.hpp"
#include "search/levels/level_link.hpp"
#include "search/levels/level_tree.hpp"
#include "search/levels/placed_points.hpp"

namespace neuroprim::levels {

/// The same as `ListLevelReach` for points, near O(log n) each: a k-d tree that knows which levels are in each of its
/// boxes, and how long the edges above vertices of each level are.
template <std::size_t Dim, class Norm>
class PointLevelReach {
public:
    using Graph = PlacedPoints<Dim>;

    /// What it is given must outlive it. At most 30 hops.
    PointLevelReach(const Graph& graph, const LevelTree& tree, int hops)
        : index_(&graph.kd_tree()),
          weights_(&graph.weights()),
          tree_(&tree),
          levels_(static_cast<std::size_t>(hops) + 1),
          leaf_(index_->size()),
          above_(index_->nodes().size(), 0),
          present_(index_->nodes().size(), 0),
          longest_(index_->nodes().size() * levels_, 0) {
        const auto nodes = index_->nodes();
        for (std::size_t k = nodes.size(); k-- > 0;) {
            if (nodes[k].right == 0) {
                for (std::size_t p = nodes[k].begin; p < nodes[k].end; ++p) leaf_[p] = static_cast<std::uint32_t>(k);
            } else {
                above_[k + 1] = above_[nodes[k].right] = static_cast<std::uint32_t>(k);
            }
        }
    }

    /// To be told when all levels may be new. O(n).
    void levels_changed() {
        for (std::size_t k = present_.size(); k-- > 0;) present_[k] = summary(k);
    }

    [[nodiscard]] LevelLink nearest(Vertex v, int below, Vertex excluded) const {
        const std::uint32_t wanted = (std::uint32_t{1} << below) - 1;
        const auto& centre = index_->position(index(v));
        Vertex found = no_vertex;
        double reach = std::numeric_limits<double>::infinity();
        index_->template walk<Norm>(
            centre, [&](std::size_t k) { return (present_[k] & wanted) != 0; },
            [&](std::size_t, double distance) { return distance < reach; },
            [&](std::size_t p) {
                const auto u = static_cast<Vertex>(p);
                if (tree_->level(u) >= below || u == excluded) return;
                const double distance = Index::template distance<Norm>(centre, index_->position(p));
                if (distance >= reach) return;
                reach = distance;
                found = u;
            });
        if (found == no_vertex) return {};
        return {found, weight(found, v)};
    }

    template <class Visit>
    void for_each_taker(Vertex v, int low, int high, Visit&& visit) const {
        const std::uint32_t wanted = ((std::uint32_t{1} << (high - low + 1)) - 1) << low;
        const auto& centre = index_->position(index(v));
        index_->template walk<Norm>(
            centre, [&](std::size_t k) { return (present_[k] & wanted) != 0; },
            [&](std::size_t k, double distance) {
                const double* longest = &longest_[k * levels_];
                for (int level = low; level <= high; ++level) {
                    if (distance < longest[level]) return true;
                }
                return false;
            },
            [&](std::size_t p) {
                const auto x = static_cast<Vertex>(p);
                const int level = tree_->level(x);
                if (level < low || level > high || x == v) return;
                if (const double weight = (*weights_)(v, x); weight < tree_->weight(x)) visit(x, weight);
            });
    }

    [[nodiscard]] double weight(Vertex u, Vertex v) const { return (*weights_)(u, v); }

    /// One of the places around, in the order of the k-d tree.
    [[nodiscard]] Vertex any_near(Vertex v, Random& random) const {
        constexpr std::size_t around = 16;
        const std::size_t first = index(v) > around / 2 ? index(v) - around / 2 : 0;
        return static_cast<Vertex>(
            std::min(first + static_cast<std::size_t>(random.below(around)), index_->size() - 1));
    }

    void level_changed(Vertex v) {
        for (std::size_t k = leaf_[index(v)];; k = above_[k]) {
            const std::uint32_t now = summary(k);
            if (now == present_[k]) return;
            present_[k] = now;
            if (k == 0) return;
        }
    }

    void link_changed(Vertex v) {
        const Vertex u = tree_->parent(v);
        if (u == no_vertex) return;
        const double distance =
            Index::template distance<Norm>(index_->position(index(v)), index_->position(index(u)));
        const auto level = static_cast<std::size_t>(tree_->level(v));
        for (std::size_t k = leaf_[index(v)];; k = above_[k]) {
            double& longest = longest_[k * levels_ + level];
            if (longest >= distance) return;
            longest = distance;
            if (k == 0) return;
        }
    }

    void tighten() {
        std::fill(longest_.begin(), longest_.end(), 0);
        for (Vertex v = 0; v < tree_->size(); ++v) link_changed(v);
    }

private:
    using Index = KdTree<Dim>;

    /// The levels in a box, as bits.
    [[nodiscard]] std::uint32_t summary(std::size_t k) const {
        const auto& node = index_->nodes()[k];
        if (node.right != 0) return present_[k + 1] | present_[node.right];
        std::uint32_t result = 0;
        for (std::size_t p = node.begin; p < node.end; ++p) {
            result |= std::uint32_t{1} << tree_->level(static_cast<Vertex>(p));
        }
        return result;
    }

    const Index* index_;
    const Weights* weights_;
    const LevelTree* tree_;
    std::size_t levels_;
    std::vector<std::uint32_t> leaf_;     // by place: the node that holds it
    std::vector<std::uint32_t> above_;    // by node
    std::vector<std::uint32_t> present_;  // by node: levels, as bits
    std::vector<double> longest_;         // (nodes, levels) no edge above is longer, as the norm has it
};

}  // namespace neuroprim::levels
