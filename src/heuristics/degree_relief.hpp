#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "graph/exchange_tree.hpp"
#include "graph/near_edges.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

/// A way to take one edge off an overloaded vertex.
struct Relief {
    EdgeExchange exchange;
    double entering = 0;            ///< weight of the edge that enters
    double change = 0;              ///< of the tree's weight
    Vertex overloaded = no_vertex;  ///< the vertex that has one edge too many afterwards, if any has
};

/// Looks for exchanges that take an edge off a vertex c: the branches at c are walked to some extent, and every near
/// edge between two of them may replace the first edge of either.
class ReliefFinder {
public:
    ReliefFinder(const NearEdges& near, std::span<const int> limits) : near_(&near), limits_(limits) {}

    /// Calls `visit(relief)` for each that overloads at most one other vertex and changes the weight by less than
    /// `most`. Walks `extent` vertices and looks at their near edges.
    template <class Visit>
    void for_each(const ExchangeTree& tree, Vertex c, std::size_t extent, double most, Visit&& visit);

    [[nodiscard]] bool full(const ExchangeTree& tree, Vertex v) const { return tree.degree(v) >= limits_[index(v)]; }
    [[nodiscard]] bool overloaded(const ExchangeTree& tree, Vertex v) const {
        return tree.degree(v) > limits_[index(v)];
    }

private:
    void walk_branches(const ExchangeTree& tree, Vertex c, std::size_t extent);

    const NearEdges* near_;
    std::span<const int> limits_;  // (n)
    std::vector<Vertex> branch_;   // (n) the neighbour of c that leads there, valid where seen_ is this round
    std::vector<unsigned> seen_;   // (n)
    std::vector<Vertex> walked_;
    unsigned round_ = 0;
};

/// Exchanges edges till every limit is kept, the cheapest way first, each time at the vertex that has waited longest.
/// Nothing when it finds no way: limits of 1 or 2 everywhere, sparse graphs. Near O(n) where few vertices are
/// overloaded and limits are 3 or more.
[[nodiscard]] std::optional<Tree> relieved(const Tree& tree, const Weights& weights, const NearEdges& near,
                                           std::span<const int> limits, const StopToken& stop = {});

template <class Visit>
void ReliefFinder::for_each(const ExchangeTree& tree, Vertex c, std::size_t extent, double most, Visit&& visit) {
    walk_branches(tree, c, extent);
    double heaviest = 0;
    for (const Vertex x : tree.neighbours(c)) heaviest = std::max(heaviest, tree.weight(c, x));
    for (const Vertex p : walked_) {
        const Vertex branch_p = branch_[index(p)];
        for (const auto& [q, weight] : near_->of(p)) {
            if (weight - heaviest >= most) break;
            if (seen_[index(q)] != round_ || q == c || branch_[index(q)] == branch_p) continue;
            for (const bool drop_p : {true, false}) {
                const Vertex x = drop_p ? branch_p : branch_[index(q)];
                const auto too_many = [&](Vertex v) { return v != x && full(tree, v); };
                if (too_many(p) && too_many(q)) continue;
                const double change = weight - tree.weight(c, x);
                if (change >= most) continue;
                Relief relief;
                const bool below = tree.parent(x) == c;
                const bool p_below = below == drop_p;
                relief.exchange = {p_below ? p : q, p_below ? q : p, below ? x : c};
                relief.entering = weight;
                relief.change = change;
                relief.overloaded = too_many(p) ? p : too_many(q) ? q : no_vertex;
                visit(relief);
            }
        }
    }
}

}  // namespace neuroprim
