#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bounds/padded_table.hpp"
#include "bounds/side_costs.hpp"
#include "graph/disjoint_sets.hpp"
#include "graph/stop_token.hpp"

namespace neuroprim {

/// What is decided about the edges of a tree, as places in a list of edges.
struct EdgeChoice {
    std::vector<int> open;  ///< may be in the tree
    std::vector<int> included;
};

/// Trees whose edges do not agree on who lies on which side of them.
///
/// A tree, directed away from a vertex o, enters every other vertex once, and each edge has o on one of its sides.
/// The relaxation keeps the tree, and lets each edge choose its sides; who is entered how often from where is only
/// paid for, at a price. For any prices
///
///     minimum spanning tree under the least costs of the edges (`SideCosts`)  +  Σ prices
///
/// is at most the cost of every tree: there all are entered once, and the prices cancel. With the best prices this is
/// the flow relaxation in which each vertex has its own directed copy of the tree. (Sum over v in a set S without o
/// of how often v is entered: |S|. A spanning tree has |S| − 1 edges inside S at most, so at least one enters S.)
class SideRelaxation {
public:
    /// `costs` must outlive it.
    SideRelaxation(Vertex n, std::vector<WeightedEdge> edges, SideCosts& costs,
                   std::optional<Vertex> root = std::nullopt);

    [[nodiscard]] std::span<const WeightedEdge> edges() const { return edges_; }

    /// What limits cost: (n) each.
    struct LimitPrices {
        std::vector<double> degree;  ///< of every edge at the vertex
        std::vector<double> hop;     ///< of every edge between the root and the vertex
        std::vector<double> length;  ///< of every unit of weight between them
    };

    /// Begins the tree for these prices and choices, which must stay as they are till it is finished.
    void begin(const PaddedTable& prices, const EdgeChoice& choice) { begin(prices, choice, no_limits_); }
    void begin(const PaddedTable& prices, const EdgeChoice& choice, const LimitPrices& limits);

    /// True when the tree is finished; false when `looks` at numbers were used up or the stop token expired before.
    /// Takes off `looks` what it used.
    [[nodiscard]] bool advance(std::int64_t& looks, const StopToken& stop);

    /// Of the finished tree, with the prices; infinity when the edges join no tree.
    [[nodiscard]] double value() const { return value_; }

    /// Places in the list of edges.
    [[nodiscard]] std::span<const int> tree() const { return tree_; }

    /// (n, n) 1 − how often the vertex of the row is entered from that of the column.
    [[nodiscard]] const PaddedTable& missing() const { return missing_; }

    /// (n) Of the finished tree, as its edges see it: edges at each vertex, edges and weight between it and the root.
    [[nodiscard]] const std::vector<double>& degrees() const { return degree_; }
    [[nodiscard]] const std::vector<double>& hops() const { return hops_; }
    [[nodiscard]] const std::vector<double>& lengths() const { return length_; }

    /// Drops open edges such that every tree with them costs more than the value of the finished tree by `slack` or
    /// more. O(n² + edges · n log n). False when the stop token expired before all were looked at.
    bool drop_dear(double slack, EdgeChoice& choice, const StopToken& stop);

private:
    struct Candidate {
        double cost;
        int edge;
        bool is_exact;
    };

    /// No more than the least cost of the edge, from its floor and from what it was known to cost at other prices.
    [[nodiscard]] double floor_of(int edge);

    [[nodiscard]] double degree_price(const WeightedEdge& edge) const {
        return limits_.degree[index(edge.u)] + limits_.degree[index(edge.v)];
    }

    void take(int edge);
    void find_dearest_on_paths(const EdgeChoice& choice);

    Vertex n_;
    std::vector<WeightedEdge> edges_;
    SideCosts& costs_;
    const EdgeChoice* choice_ = nullptr;
    std::size_t looked_at_ = 0;          // open edges whose floor is known
    std::vector<Candidate> candidates_;  // a heap
    DisjointSets parts_;
    std::vector<int> tree_;
    std::vector<double> tree_cost_;  // (tree)
    std::vector<char> side_;         // (n) of the edge that was looked at last
    PaddedTable prices_;             // (n, n) of the tree that was begun last
    PaddedTable change_;             // (n, n) of the prices since the tree before
    std::int64_t trees_ = 0;         // begun
    struct Known {
        double cost = 0;         // no more than the edge costs …
        std::int64_t tree = -1;  // … at the prices of this tree
    };
    std::vector<Known> known_;  // (edges)
    std::optional<Vertex> root_;
    LimitPrices no_limits_;
    LimitPrices limits_;   // of the tree that was begun last
    double hop_drop_ = 0;  // by how much hop prices fell together since the tree before
    double length_drop_ = 0;
    std::vector<double> degree_;
    std::vector<double> hops_;
    std::vector<double> length_;
    PaddedTable missing_;
    PaddedTable dearest_;  // (n, n) of the edges on the path between two vertices
    double value_ = 0;
};

}  // namespace neuroprim
