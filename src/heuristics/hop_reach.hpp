#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/kd_tree.hpp"
#include "graph/stop_token.hpp"
#include "heuristics/hop_tree.hpp"
#include "neuroprim/metric.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// An edge to the vertex that another could hang from; `no_vertex` when there is none.
struct HopLink {
    Vertex to = no_vertex;
    double weight = Weights::infinity;
};

/// Answers two questions about a tree that changes: from where could v hang, and who would rather hang from v?
/// This one looks at every edge of v each time: O(degree), O(n) on complete graphs.
class EdgeHopReach {
public:
    EdgeHopReach(const Weights& weights, const HopTree& tree) : weights_(&weights), tree_(&tree) {}

    /// The nearest vertex of at most this depth, outside the subtree of `top`, by an edge lighter than `within`.
    /// Ties go to the smaller vertex.
    [[nodiscard]] HopLink nearest(Vertex v, int depth, double within, Vertex top) const {
        HopLink best{no_vertex, within};
        weights_->for_each_neighbour(v, [&](Vertex u, double weight) {
            if (weight < best.weight && tree_->depth(u) <= depth && !tree_->is_below(u, top)) best = {u, weight};
        });
        return best;
    }

    /// Calls `visit(x, weight)` for every vertex whose edge to its parent is heavier than its edge to `v`.
    template <class Visit>
    void for_each_taker(Vertex v, Visit&& visit) const {
        weights_->for_each_neighbour(v, [&](Vertex x, double weight) {
            if (x != tree_->root() && weight < tree_->weight(x)) visit(x, weight);
        });
    }

    /// To be told whenever depth or parent of `v` have changed.
    void update(Vertex) {}

    /// Calls `visit` for some vertices close to `v`.
    template <class Visit>
    void for_each_close(Vertex v, Visit&& visit) const {
        if (weights_->form() != Weights::Form::sparse) return;
        weights_->for_each_neighbour(v, [&](Vertex u, double) { visit(u); });
    }

    /// All vertices, neighbours close to each other where that is known.
    [[nodiscard]] std::vector<Vertex> order() const {
        std::vector<Vertex> result(index(tree_->size()));
        std::iota(result.begin(), result.end(), 0);
        return result;
    }

private:
    const Weights* weights_;
    const HopTree* tree_;
};

/// The same for points, near O(log n) each: a k-d tree that knows the least depth and the longest edge to a parent in
/// each of its boxes, and leaves out boxes that are too deep or too far for those edges.
template <std::size_t Dim, class Norm>
class PointHopReach {
public:
    /// Throws Interrupted when the stop token expires before it is there.
    PointHopReach(std::vector<Position<Dim>> positions, const Weights& weights, const HopTree& tree,
                  const StopToken& stop = {})
        : index_(std::move(positions), stop),
          weights_(&weights),
          hops_(&tree),
          place_(index_.size()),
          leaf_(index_.size()),
          above_(index_.nodes().size(), 0),
          least_depth_(index_.nodes().size()),
          longest_(index_.nodes().size()),
          length_(index_.size(), 0) {
        for (std::size_t p = 0; p < index_.size(); ++p) place_[index(index_.vertex(p))] = p;
        for (std::size_t p = 0; p < index_.size(); ++p) length_[p] = length_of(p);
        const auto nodes = index_.nodes();
        for (std::size_t k = nodes.size(); k-- > 0;) {
            if (nodes[k].right == 0) {
                for (std::size_t p = nodes[k].begin; p < nodes[k].end; ++p) leaf_[p] = k;
            } else {
                above_[k + 1] = above_[nodes[k].right] = k;
            }
            std::tie(least_depth_[k], longest_[k]) = summary(k);
        }
    }

    [[nodiscard]] HopLink nearest(Vertex v, int depth, double within, Vertex top) const {
        std::size_t found = none;
        double reach = norm_of(within);
        const auto& centre = index_.position(place_[index(v)]);
        index_.template walk<Norm>(
            centre, [&](std::size_t k) { return least_depth_[k] <= depth; },
            [&](std::size_t, double distance) { return distance <= reach; },
            [&](std::size_t p) {
                const double distance = Index::template distance<Norm>(centre, index_.position(p));
                if (distance > reach) return;
                const Vertex u = index_.vertex(p);
                if (distance == reach && found != none && index_.vertex(found) < u) return;
                if (hops_->depth(u) > depth || hops_->is_below(u, top)) return;
                reach = distance;
                found = p;
            });
        if (found == none) return {};
        const Vertex u = index_.vertex(found);
        const double weight = (*weights_)(u, v);
        return weight < within ? HopLink{u, weight} : HopLink{};
    }

    template <class Visit>
    void for_each_taker(Vertex v, Visit&& visit) const {
        const auto& centre = index_.position(place_[index(v)]);
        index_.template walk<Norm>(
            centre, [](std::size_t) { return true; },
            [&](std::size_t k, double distance) { return distance < longest_[k]; },
            [&](std::size_t p) {
                if (Index::template distance<Norm>(centre, index_.position(p)) >= length_[p]) return;
                const Vertex x = index_.vertex(p);
                if (x == v) return;
                if (const double weight = (*weights_)(v, x); weight < hops_->weight(x)) visit(x, weight);
            });
    }

    void update(Vertex v) {
        const std::size_t p = place_[index(v)];
        length_[p] = length_of(p);
        for (std::size_t k = leaf_[p];; k = above_[k]) {
            const auto [depth, length] = summary(k);
            if (depth == least_depth_[k] && length == longest_[k]) return;
            least_depth_[k] = depth;
            longest_[k] = length;
            if (k == 0) return;
        }
    }

    template <class Visit>
    void for_each_close(Vertex v, Visit&& visit) const {
        const auto& node = index_.nodes()[leaf_[place_[index(v)]]];
        for (std::size_t p = node.begin; p < node.end; ++p) visit(index_.vertex(p));
    }

    [[nodiscard]] std::vector<Vertex> order() const {
        std::vector<Vertex> result(index_.size());
        for (std::size_t p = 0; p < result.size(); ++p) result[p] = index_.vertex(p);
        return result;
    }

private:
    using Index = KdTree<Dim>;
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    /// How long the edge to the parent is, as the norm has it.
    [[nodiscard]] double length_of(std::size_t p) const {
        const Vertex u = hops_->parent(index_.vertex(p));
        if (u == no_vertex) return 0;
        return Index::template distance<Norm>(index_.position(p), index_.position(place_[index(u)]));
    }

    [[nodiscard]] std::pair<int, double> summary(std::size_t k) const {
        const auto& node = index_.nodes()[k];
        if (node.right != 0) {
            return {std::min(least_depth_[k + 1], least_depth_[node.right]),
                    std::max(longest_[k + 1], longest_[node.right])};
        }
        std::pair result{std::numeric_limits<int>::max(), 0.0};
        for (std::size_t p = node.begin; p < node.end; ++p) {
            result.first = std::min(result.first, hops_->depth(index_.vertex(p)));
            result.second = std::max(result.second, length_[p]);
        }
        return result;
    }

    /// Nothing lighter than `weight` is farther than this by the norm.
    [[nodiscard]] double norm_of(double weight) const {
        constexpr double rounding = 1 + 1e-9;
        switch (weights_->metric()) {
            case Metric::euclidean:
            case Metric::manhattan:
            case Metric::maximum:
                return Norm::combine(0, weight * rounding);
            case Metric::euc_2d:
            case Metric::ceil_2d:
            case Metric::man_2d:
            case Metric::max_2d:
                return Norm::combine(0, weight + 1);
            case Metric::att:
            case Metric::geo:
            case Metric::great_circle:
                break;
        }
        return Weights::infinity;
    }

    Index index_;
    const Weights* weights_;
    const HopTree* hops_;
    std::vector<std::size_t> place_;  // (n)
    std::vector<std::size_t> leaf_;   // by place: the node that holds it
    std::vector<std::size_t> above_;  // by node
    std::vector<int> least_depth_;    // by node
    std::vector<double> longest_;     // by node
    std::vector<double> length_;      // by place: of the edge to the parent
};

}  // namespace neuroprim
