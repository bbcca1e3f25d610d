#pragma once

#include <cstdint>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::levels {

/// A rooted tree told by levels: every vertex hangs from one of a lower level. The centre has level 0: the root or,
/// for odd diameters, the root and its twin, which hangs from it. No vertex has more hops to the centre than its
/// level.
class LevelTree {
public:
    /// No vertex has a level or hangs anywhere yet.
    explicit LevelTree(Vertex n) : node_(index(n)) {}

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(node_.size()); }
    [[nodiscard]] Vertex root() const { return root_; }
    [[nodiscard]] Vertex twin() const { return twin_; }  ///< or `no_vertex`
    [[nodiscard]] int level(Vertex v) const { return node_[index(v)].level; }
    [[nodiscard]] Vertex parent(Vertex v) const { return node_[index(v)].parent; }
    [[nodiscard]] double weight(Vertex v) const { return node_[index(v)].weight; }  ///< of the edge above
    [[nodiscard]] Vertex first_child(Vertex v) const { return node_[index(v)].first_child; }
    [[nodiscard]] Vertex next_sibling(Vertex v) const { return node_[index(v)].next; }
    [[nodiscard]] double cost() const { return cost_; }

    void set_level(Vertex v, int level) { node_[index(v)].level = static_cast<std::int16_t>(level); }

    void set_twin(Vertex v) { twin_ = v; }

    /// Makes `v` the root. The former one has to hang elsewhere.
    void set_root(Vertex v) {
        unhang(v);
        root_ = v;
    }

    /// Hangs `v` with all that is below it from `u`. O(1).
    void hang(Vertex v, Vertex u, double weight) {
        unhang(v);
        Node& node = node_[index(v)];
        Node& above = node_[index(u)];
        node.parent = u;
        node.weight = weight;
        node.next = above.first_child;
        if (node.next != no_vertex) node_[index(node.next)].previous = v;
        above.first_child = v;
        cost_ += weight;
    }

    /// Adds the weights up anew: after many moves the sum has gathered rounding. O(n).
    void sum_up() {
        cost_ = 0;
        for (const Node& node : node_) cost_ += node.weight;
    }

private:
    struct Node {
        double weight = 0;
        Vertex parent = no_vertex;
        Vertex first_child = no_vertex;  // children are doubly linked lists
        Vertex next = no_vertex;
        Vertex previous = no_vertex;
        std::int16_t level = 0;
    };

    void unhang(Vertex v) {
        Node& node = node_[index(v)];
        if (node.parent == no_vertex) return;
        if (node.previous != no_vertex) {
            node_[index(node.previous)].next = node.next;
        } else {
            node_[index(node.parent)].first_child = node.next;
        }
        if (node.next != no_vertex) node_[index(node.next)].previous = node.previous;
        cost_ -= node.weight;
        node.parent = node.next = node.previous = no_vertex;
        node.weight = 0;
    }

    Vertex root_ = no_vertex;
    Vertex twin_ = no_vertex;
    std::vector<Node> node_;
    double cost_ = 0;
};

}  // namespace neuroprim::levels
