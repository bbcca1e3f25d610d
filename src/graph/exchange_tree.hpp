#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// An edge leaves a tree and another takes its place. The one that leaves joins `top` to its parent; the one that
/// enters joins `inner`, a vertex of the part below `top`, to `outer`, a vertex of the other part.
struct EdgeExchange {
    Vertex inner = no_vertex;
    Vertex outer = no_vertex;
    Vertex top = no_vertex;
};

/// The tree edges at each vertex. Most vertices have few, which need no memory of their own: a million lists are
/// made and given back in milliseconds.
class TreeLinks {
public:
    explicit TreeLinks(std::size_t n) : count_(n, 0), few_(n) {}

    [[nodiscard]] int count(Vertex v) const { return count_[index(v)]; }
    [[nodiscard]] std::span<const Vertex> of(Vertex v) const {
        if (count_[index(v)] > most_few) return many_.at(v);
        return std::span(few_[index(v)]).first(static_cast<std::size_t>(count_[index(v)]));
    }
    void add(Vertex v, Vertex to);

    /// `to` must be there. The last of the list takes its place.
    void remove(Vertex v, Vertex to);

private:
    static constexpr int most_few = 4;

    std::vector<int> count_;                                // (n)
    std::vector<std::array<Vertex, most_few>> few_;         // (n) where there are no more than that
    std::unordered_map<Vertex, std::vector<Vertex>> many_;  // the others
};

/// A spanning tree under exchanges of edges. It hangs from some vertex; an exchange turns around the way from `inner`
/// up to `top` and costs as much as that way is long.
class ExchangeTree {
public:
    /// `tree` must span all n vertices.
    ExchangeTree(const Tree& tree, const Weights& weights);

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(parent_.size()); }
    [[nodiscard]] Vertex parent(Vertex v) const { return parent_[index(v)]; }  ///< `no_vertex` at the root
    [[nodiscard]] double parent_weight(Vertex v) const { return parent_weight_[index(v)]; }
    [[nodiscard]] int degree(Vertex v) const { return links_.count(v); }
    [[nodiscard]] std::span<const Vertex> neighbours(Vertex v) const { return links_.of(v); }
    [[nodiscard]] bool has_edge(Vertex u, Vertex v) const { return parent(u) == v || parent(v) == u; }

    /// Weight of the tree edge uv.
    [[nodiscard]] double weight(Vertex u, Vertex v) const {
        return parent(u) == v ? parent_weight(u) : parent_weight(v);
    }

    /// Returns the exchange that undoes it. `weight` is that of the edge that enters.
    EdgeExchange exchange(const EdgeExchange& change, double weight);

    /// The vertices from `a` to `b`, both included; valid till the next call. The one nearest to the root is
    /// `path_top()`. O(length), whatever the height of the tree.
    [[nodiscard]] std::span<const Vertex> path(Vertex a, Vertex b);
    [[nodiscard]] std::size_t path_top() const { return path_top_; }

    [[nodiscard]] Tree tree() const;

private:
    std::vector<Vertex> parent_;         // (n)
    std::vector<double> parent_weight_;  // (n)
    TreeLinks links_;
    std::vector<Vertex> path_;
    std::vector<Vertex> other_half_;
    std::size_t path_top_ = 0;
    std::vector<unsigned> seen_;  // (n) the last search that came by, even from one side and odd from the other
    unsigned round_ = 0;
};

}  // namespace neuroprim
