#include "heuristics/hop_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace neuroprim {

HopTree::HopTree(const Tree& tree, const Weights& weights, Vertex root)
    : root_(root),
      weight_(index(weights.size()), 0),
      height_(index(weights.size()), 0),
      first_child_(index(weights.size()), no_vertex),
      next_(index(weights.size()), no_vertex),
      previous_(index(weights.size()), no_vertex) {
    RootedTree rooted = hang(tree, root, weights.size());
    parent_ = std::move(rooted.parent);
    depth_ = std::move(rooted.depth);
    for (std::size_t k = rooted.order.size(); k-- > 1;) {
        const Vertex v = rooted.order[k];
        const Vertex u = parent(v);
        link(v, u);
        weight_[index(v)] = weights(u, v);
        height_[index(u)] = std::max(height(u), height(v) + 1);
    }
}

void HopTree::link(Vertex v, Vertex u) {
    const Vertex first = first_child(u);
    next_[index(v)] = first;
    previous_[index(v)] = no_vertex;
    if (first != no_vertex) previous_[index(first)] = v;
    first_child_[index(u)] = v;
}

void HopTree::unlink(Vertex v) {
    const Vertex before = previous_[index(v)];
    const Vertex after = next_[index(v)];
    (before == no_vertex ? first_child_[index(parent(v))] : next_[index(before)]) = after;
    if (after != no_vertex) previous_[index(after)] = before;
}

void HopTree::raise_heights(Vertex u, int height) {
    for (; u != no_vertex && height_[index(u)] < height; u = parent(u)) height_[index(u)] = height++;
}

void HopTree::lower_heights(Vertex u) {
    for (; u != no_vertex; u = parent(u)) {
        int tallest = 0;
        for (Vertex child = first_child(u); child != no_vertex; child = next_sibling(child)) {
            tallest = std::max(tallest, height(child) + 1);
            if (tallest == height(u)) return;
        }
        if (tallest == height(u)) return;
        height_[index(u)] = tallest;
    }
}

Tree HopTree::tree() const {
    Tree result{root_, {}};
    result.edges.reserve(parent_.size());
    std::vector<Vertex> order = {root_};
    order.reserve(parent_.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (Vertex child = first_child(order[k]); child != no_vertex; child = next_sibling(child)) {
            order.push_back(child);
            result.edges.push_back({order[k], child});
        }
    }
    return result;
}

double HopTree::cost() const {
    return std::accumulate(weight_.begin(), weight_.end(), 0.0);
}

}  // namespace neuroprim
