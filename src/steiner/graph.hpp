#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::steiner {

/// What the edges of a reduced graph stand for: an edge of the input, or two such records joined in a path.
/// Only grows, so graphs that branch off one another may share it.
class Origins {
public:
    [[nodiscard]] int input(Vertex u, Vertex v) { return add({u, v, true}); }
    [[nodiscard]] int joined(int a, int b) { return add({a, b, false}); }

    /// Appends the input edges that `record` stands for.
    void expand(int record, std::vector<Edge>& edges) const;

private:
    struct Record {
        std::int32_t a, b;  // the ends of an input edge, or two records
        bool is_input;
    };

    int add(Record record) {
        records_.push_back(record);
        return static_cast<int>(records_.size()) - 1;
    }

    std::vector<Record> records_;
};

/// A sparse graph with terminals that shrinks: edges go, vertices go, edges that are in some optimum are contracted.
/// Other vertices may have prizes, which are lost where a tree leaves them out. A graph without terminals is
/// rootless: any tree will do that has at least one vertex.
///
/// Edges have numbers that stay; edge e is seen from its end u as arc 2e and from its end v as arc 2e + 1. Between
/// two vertices there is one edge at most. Copying is a few plain vectors.
class Graph {
public:
    struct Link {
        Vertex u = no_vertex, v = no_vertex;  // u = no_vertex: removed
        double weight = 0;
        int origin = 0;
    };

    static constexpr int none = -1;

    Graph(Vertex n, std::shared_ptr<Origins> origins);

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(first_.size()); }
    [[nodiscard]] int edge_slots() const { return static_cast<int>(links_.size()); }
    [[nodiscard]] int edge_count() const { return edge_count_; }
    [[nodiscard]] int terminal_count() const { return terminal_count_; }
    [[nodiscard]] bool is_terminal(Vertex v) const { return terminal_[index(v)] != 0; }
    [[nodiscard]] bool is_alive(Vertex v) const { return merged_into_[index(v)] == v; }
    [[nodiscard]] bool has(int e) const { return links_[static_cast<std::size_t>(e)].u != no_vertex; }
    [[nodiscard]] const Link& link(int e) const { return links_[static_cast<std::size_t>(e)]; }
    [[nodiscard]] int degree(Vertex v) const { return degree_[index(v)]; }
    [[nodiscard]] double prize(Vertex v) const { return prize_[index(v)]; }  ///< 0 for terminals
    [[nodiscard]] bool has_prizes() const { return prize_count_ > 0; }
    [[nodiscard]] double all_prizes() const;

    /// A vertex of the input that is in every tree that holds v.
    [[nodiscard]] Vertex label(Vertex v) const { return label_[index(v)]; }

    /// The vertex of the largest prize, which makes the best tree of one vertex; `no_vertex` without prizes. O(n).
    [[nodiscard]] Vertex richest() const;

    /// The arcs at v: for (int a = first(v); a != none; a = next(a)) … head(a), edge a / 2.
    [[nodiscard]] int first(Vertex v) const { return first_[index(v)]; }
    [[nodiscard]] int next(int arc) const { return next_[static_cast<std::size_t>(arc)]; }
    [[nodiscard]] Vertex head(int arc) const { return (arc & 1) != 0 ? link(arc / 2).u : link(arc / 2).v; }
    [[nodiscard]] double weight(int arc) const { return link(arc / 2).weight; }

    /// The edge between two vertices or `none`. O(smaller degree).
    [[nodiscard]] int find(Vertex u, Vertex v) const;

    void make_terminal(Vertex v);
    void set_prize(Vertex v, double prize);

    /// The caller knows that u and v have no edge yet.
    int add_new(Vertex u, Vertex v, double weight, int origin);

    /// Of parallel edges the lighter one stays, the older one when they are equal.
    void add(Vertex u, Vertex v, double weight, int origin);

    void remove(int e);

    /// No tree holds it: its prize is lost for sure.
    void remove_vertex(Vertex v);

    /// Puts the edge into every tree: its ends become one terminal. Returns it.
    Vertex contract(int e);

    /// Puts the edge into every tree that holds one of its ends: they become one vertex, whose prize is what the two
    /// are worth beyond the edge; that must not be negative. Returns it.
    Vertex absorb(int e);

    /// A path through `v`, as one edge between the far ends of two arcs at v. It collects the prize of v, which must
    /// not be more than it weighs.
    void bridge(int arc, int other_arc);

    /// What stands for the vertex now; `no_vertex` when it was removed.
    [[nodiscard]] Vertex representative(Vertex v) const;

    /// The weight and the records of contracted edges, and what prizes were lost.
    [[nodiscard]] double fixed_cost() const { return fixed_cost_; }
    [[nodiscard]] const std::vector<int>& fixed() const { return fixed_; }
    [[nodiscard]] const Origins& origins() const { return *origins_; }

    /// The same graph without the places of what was removed. Representatives are forgotten.
    [[nodiscard]] Graph compacted() const;

private:
    void attach(Vertex v, int arc);
    void detach(Vertex v, int arc);
    Vertex merge(int e);

    std::shared_ptr<Origins> origins_;
    std::vector<Link> links_;
    std::vector<int> next_, previous_;  // (2 × slots) the arcs of a vertex as a ring-less list
    std::vector<int> first_;            // (n)
    std::vector<int> degree_;           // (n)
    std::vector<char> terminal_;        // (n)
    std::vector<double> prize_;         // (n)
    std::vector<Vertex> label_;         // (n)
    std::vector<Vertex> merged_into_;   // (n) itself when alive, no_vertex when removed
    std::vector<int> fixed_;
    double fixed_cost_ = 0;
    int edge_count_ = 0;
    int terminal_count_ = 0;
    int prize_count_ = 0;  // vertices with a prize
};

}  // namespace neuroprim::steiner
