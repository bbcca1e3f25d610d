#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "graph/kd_tree.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::levels {

/// Points in the order of a k-d tree: what is near in space is near in memory. Vertices have a number in that order
/// beside their name. O(n) memory.
template <std::size_t Dim>
class PlacedPoints {
public:
    PlacedPoints(const Weights& weights, std::vector<Position<Dim>> positions, const StopToken& stop = {})
        : kd_tree_(std::move(positions), stop), number_(kd_tree_.size()) {
        std::vector<Point> points;
        points.reserve(number_.size());
        for (std::size_t p = 0; p < number_.size(); ++p) {
            points.push_back(weights.points()[index(kd_tree_.vertex(p))]);
            number_[index(kd_tree_.vertex(p))] = static_cast<Vertex>(p);
        }
        weights_ = Weights::from_points(std::move(points), weights.metric());
    }

    [[nodiscard]] Vertex size() const { return weights_.size(); }
    [[nodiscard]] const Weights& weights() const { return weights_; }  ///< by number
    [[nodiscard]] const KdTree<Dim>& kd_tree() const { return kd_tree_; }
    [[nodiscard]] Vertex name(Vertex number) const { return kd_tree_.vertex(index(number)); }
    [[nodiscard]] Vertex number(Vertex name) const { return number_[index(name)]; }

private:
    KdTree<Dim> kd_tree_;
    std::vector<Vertex> number_;  // (n) by name
    Weights weights_;
};

}  // namespace neuroprim::levels
