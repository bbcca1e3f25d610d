#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// What a tree is priced by, edge by edge or pair by pair.
enum class Objective {
    length,         ///< Σ over edges of their weight
    routing_cost,   ///< Σ over pairs of mass × mass × tree distance; masses are 1 unless given
    communication,  ///< Σ over pairs of requirement × tree distance; the instance has the requirements
    cables,         ///< Σ over edges of weight × price of the cheapest cable that carries the load behind the edge
};

/// Which vertices a tree must hold. A root and terminals must be in it always.
enum class Coverage {
    all,        ///< every vertex
    terminals,  ///< the terminals; others where they pay
    groups,     ///< exactly one vertex of each group; vertices without a group where they pay
    optional,   ///< none: what is left out costs its prize
};

/// A kind of cable, for `Objective::cables`.
struct Cable {
    double capacity = 0;  ///< the most demand that it carries
    double price = 0;     ///< per unit of weight

    friend bool operator==(const Cable&, const Cable&) = default;
};

/// The limits that a specification can have.
enum class Limit { degree, hops, length, capacity, diameter, edges, crossings };

/// A spanning-tree problem as a value: objective × limits × coverage, with what they need to know of each vertex.
/// Everything that grows, improves, bounds or judges trees asks this and nothing else. Empty vectors and `nullopt`
/// mean "not given". Numbers are those of one instance; `check` says whether they fit it.
struct TreeSpec {
    Objective objective = Objective::length;
    Coverage coverage = Coverage::all;
    std::optional<Vertex> root = {};  ///< where hops, lengths and loads are counted from; always in the tree

    /// Further roots, increasing: the answer is then a forest, one tree for each root, and a branch hangs from one
    /// edge of any of them. Growing, searches and bounds never see them (`problems/root_contraction.hpp`).
    std::vector<Vertex> other_roots = {};

    // Limits.
    std::vector<int> degrees = {};          ///< (n) the most tree edges at each vertex
    std::optional<int> hops = {};           ///< the most edges between the root and any vertex
    std::optional<double> length = {};      ///< the longest way from the root to any vertex, by weight
    std::optional<double> capacity = {};    ///< the most demand in a branch: all that hangs from one edge of the root
    std::optional<int> diameter = {};       ///< the most edges between any two vertices
    bool no_crossings = false;              ///< no two edges may cross where they are drawn
    std::vector<Edge> included_edges = {};  ///< must be in the tree
    std::vector<Edge> excluded_edges = {};  ///< must not

    // Facts about vertices.
    std::vector<Vertex> terminals = {};  ///< increasing
    std::vector<int> groups = {};        ///< (n) numbers from 0 without gaps; −1: in no group
    std::vector<double> demands = {};    ///< (n) 1 each unless given; the root's does not count
    std::vector<double> prizes = {};     ///< (n) paid for each vertex that the tree leaves out; 0 each unless given
    std::vector<double> masses = {};     ///< (n) for routing cost; 1 each unless given
    std::vector<Cable> cables = {};      ///< by rising capacity and price

    [[nodiscard]] bool has(Limit limit) const;

    /// Are the limits that it has all among these?
    [[nodiscard]] bool has_only(std::initializer_list<Limit> limits) const;

    /// All of them, the first one first; empty without any.
    [[nodiscard]] std::vector<Vertex> roots() const;

    /// Does something need a root to be counted from: hops, lengths, loads?
    [[nodiscard]] bool counts_from_root() const;

    [[nodiscard]] double demand(Vertex v) const { return demands.empty() ? 1 : demands[index(v)]; }
    [[nodiscard]] double prize(Vertex v) const { return prizes.empty() ? 0 : prizes[index(v)]; }
    [[nodiscard]] double mass(Vertex v) const { return masses.empty() ? 1 : masses[index(v)]; }
    [[nodiscard]] int group(Vertex v) const { return groups.empty() ? -1 : groups[index(v)]; }
    [[nodiscard]] int group_count() const;

    /// The most demand behind an edge of the root, by the capacity and by the largest cable; infinity without either.
    [[nodiscard]] double branch_capacity() const;

    /// The price per unit of weight of the cheapest cable for this load; infinity when none carries it.
    [[nodiscard]] double cable_price(double load) const;

    friend bool operator==(const TreeSpec&, const TreeSpec&) = default;
};

/// What flags, fields and keywords say beyond the instance; each preset reads its own part.
struct ProblemOptions {
    std::optional<int> degree = {};        ///< one limit for every vertex
    std::optional<Vertex> root = {};       ///< where hops, lengths and loads are counted from
    std::vector<Vertex> other_roots = {};  ///< further ones: the answer is a forest
    std::optional<int> hops = {};          ///< the most edges between the root and any vertex
    std::optional<double> length = {};     ///< the longest way from the root
    std::optional<double> capacity = {};   ///< the most demand in a branch
    std::optional<int> diameter = {};      ///< the most edges between any two vertices
    bool no_crossings = false;             ///< no two edges may cross where they are drawn
    std::vector<Cable> cables = {};        ///< prices by load
    std::vector<Edge> included_edges = {};
    std::vector<Edge> excluded_edges = {};
};

/// Throws InputError where the specification contradicts itself or the instance, saying what contradicts what:
/// "capacity 5, but vertex 7 has demand 9". O(n + edges named).
void check(const TreeSpec& spec, const Instance& instance);

/// The specification as a phrase: "shortest tree, degree ≤ 3, at most 4 hops from depot, at most 12 per branch".
[[nodiscard]] std::string describe(const TreeSpec& spec, const Instance& instance);

/// Does the name of a preset say all that it asks for, up to the numbers? (`mst` with a degree limit does not.)
[[nodiscard]] bool is_told_by(std::string_view preset, const TreeSpec& spec);

/// What the tree costs by the specification's objective, prizes of what it leaves out included. The tree must be one.
/// O(n); O(n²) for communication.
[[nodiscard]] double cost(const TreeSpec& spec, const Instance& instance, const Tree& tree);

/// The first limit that the tree breaks, with its numbers, or nothing: judged from the definition, apart from how
/// trees grow. O(n log n).
[[nodiscard]] std::optional<std::string> violation(const TreeSpec& spec, const Instance& instance, const Tree& tree);

/// A reason why no tree at all can keep the specification, if one is plain to see, naming the limit that makes it so.
/// Nothing does not promise that there is a feasible tree. Near O(m).
[[nodiscard]] std::optional<std::string> infeasibility(const TreeSpec& spec, const Instance& instance);

}  // namespace neuroprim
