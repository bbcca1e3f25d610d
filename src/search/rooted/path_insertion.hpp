#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim::rooted {

/// How a path is chosen among those that the limits allow.
struct PathTaste {
    double hop_price = 0;                ///< added to the weight of each edge: more of it, fewer vertices on the way
    double noise = 0;                    ///< the most that a weight grows at random, in parts of it
    double dearest = Weights::infinity;  ///< dearer paths are not taken
    double ejection_price = Weights::infinity;  ///< of passing a vertex that is in the tree already; infinity: never
    std::size_t most_settled = 3000;            ///< vertices that are looked at from
};

/// Joins floating subtrees to a rooted tree by paths through vertices that are outside: Dijkstra's algorithm from all
/// vertices of the subtree, as far as the limits let a path go.
///
/// The least weight alone decides which path to a vertex is kept, so it may miss one with fewer hops or less load; a
/// price on hops finds those.
class PathInsertion {
public:
    /// What it is given must outlive it. `near` holds all neighbours unless the graph is complete.
    PathInsertion(const Problem& problem, const Neighbours& near, ResourceTree& tree);

    /// Hangs the floating subtree of `top` below the root. False, and nothing has changed, when no path will do.
    bool join(Vertex top, const PathTaste& taste, Random& random);

    /// What the last `join` cut off to pass: tops of floating subtrees.
    [[nodiscard]] std::span<const Vertex> ejected() const { return ejected_; }

    /// The vertices below which it did so.
    [[nodiscard]] std::span<const Vertex> bereft() const { return bereft_; }

    /// The vertices that the last `join` took in.
    [[nodiscard]] std::span<const Vertex> taken_in() const { return taken_in_; }

    /// The mean weight of the edges of the lists.
    [[nodiscard]] double mean_weight() const { return mean_weight_; }

    /// Is a limit used up by each vertex on the way, so that a price on hops can help?
    [[nodiscard]] bool hops_matter() const { return hops_matter_; }

private:
    struct Label {
        double cost = 0;
        Burden burden;  // of what would hang here, seen from this vertex
        Vertex before = no_vertex;
        std::uint32_t stamp = 0;  // the search that made it
        bool settled = false;
    };

    void add_sources(Vertex top);
    void relax(Vertex x, Vertex y, double weight, const PathTaste& taste, Random& random);
    void offer_end(Vertex x, Vertex y, double cost, const Burden& burden);
    bool build(Vertex top);
    [[nodiscard]] bool is_source(Vertex v) const { return source_[index(v)] == stamp_; }
    [[nodiscard]] bool may_pass(Vertex v) const;

    const Problem* problem_;
    const TreeSpec* spec_;
    const Neighbours* near_;
    ResourceTree* tree_;
    bool complete_;               // the root is a neighbour of all, though not in their lists
    std::vector<double> weight_;  // parallel to the lists
    const Vertex* first_;         // of the first list
    double mean_weight_ = 0;
    bool hops_matter_ = false;
    std::vector<int> root_hops_;       // (n) the fewest from the root, where hops are limited
    std::vector<double> root_length_;  // (n) the shortest way from it, where lengths are

    // Of the present search.
    std::uint32_t stamp_ = 0;
    std::vector<Label> label_;           // (n)
    std::vector<std::uint32_t> source_;  // (n)
    std::vector<Burden> above_;          // (n) of vertices of the subtree: what is not below them
    std::vector<std::pair<double, Vertex>> heap_;
    std::vector<Vertex> subtree_;
    std::vector<Vertex> path_;
    std::vector<Vertex> ejected_;
    std::vector<Vertex> bereft_;
    std::vector<Vertex> taken_in_;
    double unit_price_ = 1;
    double best_cost_ = 0;
    Vertex best_from_ = no_vertex;  // the last vertex of the path, and the one of the tree that it hangs from
    Vertex best_to_ = no_vertex;
};

}  // namespace neuroprim::rooted
