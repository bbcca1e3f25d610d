#pragma once

#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// A rooted spanning tree, whose subtrees move: depths from the root and heights above the deepest leaf are
/// kept up to date. A vertex with its subtree fits below u when depth(u) + 1 + height(v) is within the hop limit.
class HopTree {
public:
    /// `tree` must span all n vertices.
    HopTree(const Tree& tree, const Weights& weights, Vertex root);

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(parent_.size()); }
    [[nodiscard]] Vertex root() const { return root_; }
    [[nodiscard]] Vertex parent(Vertex v) const { return parent_[index(v)]; }  ///< `no_vertex` at the root
    [[nodiscard]] double weight(Vertex v) const { return weight_[index(v)]; }  ///< of the edge to the parent
    [[nodiscard]] int depth(Vertex v) const { return depth_[index(v)]; }
    [[nodiscard]] int height(Vertex v) const { return height_[index(v)]; }

    [[nodiscard]] Vertex first_child(Vertex v) const { return first_child_[index(v)]; }
    [[nodiscard]] Vertex next_sibling(Vertex v) const { return next_[index(v)]; }

    /// Is `v` in the subtree of `top`? O(depth of v below it).
    [[nodiscard]] bool is_below(Vertex v, Vertex top) const {
        while (depth(v) > depth(top)) v = parent(v);
        return v == top;
    }

    /// Hangs `v` with its subtree from `u`, which must not be in that subtree. Calls `changed(x)` for `v`, and for
    /// every vertex below it whose depth is another one now. O(subtree + height of the tree), in most trees.
    template <class Changed>
    void rehang(Vertex v, Vertex u, double weight, Changed&& changed);

    /// The edges, parents first.
    [[nodiscard]] Tree tree() const;

    [[nodiscard]] double cost() const;

private:
    void link(Vertex v, Vertex u);
    void unlink(Vertex v);
    void raise_heights(Vertex u, int height);
    void lower_heights(Vertex u);

    Vertex root_;
    std::vector<Vertex> parent_;       // (n)
    std::vector<double> weight_;       // (n)
    std::vector<int> depth_;           // (n)
    std::vector<int> height_;          // (n)
    std::vector<Vertex> first_child_;  // (n) children are doubly linked lists
    std::vector<Vertex> next_;         // (n)
    std::vector<Vertex> previous_;     // (n) `no_vertex` for the first
    std::vector<Vertex> stack_;
};

template <class Changed>
void HopTree::rehang(Vertex v, Vertex u, double weight, Changed&& changed) {
    const Vertex old = parent(v);
    unlink(v);
    lower_heights(old);
    link(v, u);
    parent_[index(v)] = u;
    weight_[index(v)] = weight;
    raise_heights(u, height(v) + 1);
    const int shift = depth(u) + 1 - depth(v);
    if (shift == 0) {
        changed(v);
        return;
    }
    stack_.assign(1, v);
    while (!stack_.empty()) {
        const Vertex x = stack_.back();
        stack_.pop_back();
        depth_[index(x)] += shift;
        changed(x);
        for (Vertex child = first_child(x); child != no_vertex; child = next_sibling(child)) stack_.push_back(child);
    }
}

}  // namespace neuroprim
