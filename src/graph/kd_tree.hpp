#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

template <std::size_t Dim>
using Position = std::array<double, Dim>;

/// Squared Euclidean distance: the same order as the distance itself, without its square roots.
struct SquaredEuclidean {
    static double combine(double sum, double gap) { return sum + gap * gap; }
};
struct Manhattan {
    static double combine(double sum, double gap) { return sum + std::abs(gap); }
};
struct Maximum {
    static double combine(double sum, double gap) { return std::max(sum, std::abs(gap)); }
};

/// A balanced k-d tree over points that do not move. Points are stored in tree order, so that neighbours in
/// the tree are neighbours in memory; a place is an index in that order.
template <std::size_t Dim>
class KdTree {
public:
    struct Node {
        Position<Dim> low, high;  // the box around its points
        std::size_t begin, end;   // its places
        std::size_t right;        // index of the right child, 0 for leaves; the left child follows its parent
    };

    /// O(n log n). Throws Interrupted when the stop token expires before that.
    explicit KdTree(std::vector<Position<Dim>> positions, const StopToken& stop = {}) : vertex_(positions.size()) {
        std::iota(vertex_.begin(), vertex_.end(), 0);
        nodes_.reserve(4 * positions.size() / leaf_size + 2);
        if (!positions.empty()) build(positions, 0, positions.size(), stop);
        position_.reserve(positions.size());
        for (const Vertex v : vertex_) position_.push_back(positions[static_cast<std::size_t>(v)]);
    }

    [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
    [[nodiscard]] const Position<Dim>& position(std::size_t place) const { return position_[place]; }
    [[nodiscard]] Vertex vertex(std::size_t place) const { return vertex_[place]; }
    [[nodiscard]] std::size_t size() const { return vertex_.size(); }

    template <class Norm>
    [[nodiscard]] static double distance(const Position<Dim>& a, const Position<Dim>& b) {
        double sum = 0;
        for (std::size_t k = 0; k < Dim; ++k) sum = Norm::combine(sum, a[k] - b[k]);
        return sum;
    }

    /// From a point to the nearest place of a node's box; zero inside.
    template <class Norm>
    [[nodiscard]] static double distance(const Position<Dim>& a, const Node& node) {
        double sum = 0;
        for (std::size_t k = 0; k < Dim; ++k) {
            sum = Norm::combine(sum, std::max({node.low[k] - a[k], 0.0, a[k] - node.high[k]}));
        }
        return sum;
    }

    /// Visits the places of all leaves that pass `fits(node)` and `near(node, distance)`, nearer ones first.
    template <class Norm, class Fits, class Near, class Visit>
    void walk(const Position<Dim>& centre, Fits&& fits, Near&& near, Visit&& visit) const {
        struct Pending {
            double away;
            std::size_t node;
        };
        std::array<Pending, 128> stack;  // the tree is balanced: its height stays below 64
        std::size_t height = 0;
        const auto push = [&](double away, std::size_t k) {
            if (fits(k) && near(k, away)) stack[height++] = {away, k};
        };
        push(0, 0);
        while (height > 0) {
            const auto [away, k] = stack[--height];
            if (!near(k, away)) continue;
            const auto& node = nodes_[k];
            if (node.right == 0) {
                for (std::size_t p = node.begin; p < node.end; ++p) visit(p);
                continue;
            }
            const double left = distance<Norm>(centre, nodes_[k + 1]);
            const double right = distance<Norm>(centre, nodes_[node.right]);
            if (left <= right) {
                push(right, node.right);
                push(left, k + 1);
            } else {
                push(left, k + 1);
                push(right, node.right);
            }
        }
    }

private:
    static constexpr std::size_t leaf_size = 8;

    void build(const std::vector<Position<Dim>>& positions, std::size_t begin, std::size_t end,
               const StopToken& stop) {
        constexpr std::size_t places_between_looks = 10'000;
        if (end - begin > places_between_looks) stop.check();
        const auto at = [&](std::size_t place) -> const Position<Dim>& {
            return positions[static_cast<std::size_t>(vertex_[place])];
        };
        Node node{at(begin), at(begin), begin, end, 0};
        for (std::size_t place = begin + 1; place < end; ++place) {
            for (std::size_t k = 0; k < Dim; ++k) {
                node.low[k] = std::min(node.low[k], at(place)[k]);
                node.high[k] = std::max(node.high[k], at(place)[k]);
            }
        }
        const std::size_t self = nodes_.size();
        nodes_.push_back(node);
        if (end - begin <= leaf_size) return;

        std::size_t widest = 0;
        for (std::size_t k = 1; k < Dim; ++k) {
            if (node.high[k] - node.low[k] > node.high[widest] - node.low[widest]) widest = k;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        const auto iterator = [&](std::size_t place) { return vertex_.begin() + static_cast<std::ptrdiff_t>(place); };
        std::nth_element(iterator(begin), iterator(middle), iterator(end), [&](Vertex a, Vertex b) {
            const double xa = positions[static_cast<std::size_t>(a)][widest];
            const double xb = positions[static_cast<std::size_t>(b)][widest];
            return xa != xb ? xa < xb : a < b;
        });
        build(positions, begin, middle, stop);
        nodes_[self].right = nodes_.size();
        build(positions, middle, end, stop);
    }

    std::vector<Node> nodes_;
    std::vector<Position<Dim>> position_;  // by place
    std::vector<Vertex> vertex_;           // by place
};

}  // namespace neuroprim
