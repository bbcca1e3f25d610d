#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim::branches {

/// The vertices but the root, parted into branches, where nothing but the load of a branch is limited. Within a
/// branch the shortest tree that spans it and the root is best, so the partition says all.
///
/// A branch may carry too much: the tree is then not feasible, and `Change` says what more or less of it there is.
class BranchPartition {
public:
    /// Is the load of a branch its only limit, and length its price?
    [[nodiscard]] static bool suits(const Problem& problem);

    /// The problem must outlive it, and suit.
    explicit BranchPartition(const Problem& problem);

    /// Takes a tree over: the vertices of its branches. O(n + size² of each branch).
    void load(const Tree& tree);

    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] bool is_feasible() const { return overloaded_ == 0; }
    [[nodiscard]] Vertex root() const { return root_; }

    [[nodiscard]] Vertex parent(Vertex v) const { return parent_[index(v)]; }
    [[nodiscard]] int branch(Vertex v) const { return branch_[index(v)]; }
    [[nodiscard]] std::span<const Vertex> members(int branch) const { return branches_[at(branch)].members; }

    /// The vertices of the subtree of `v`, itself first. Valid till the next call. O(size of the branch).
    [[nodiscard]] std::span<const Vertex> subtree(Vertex v);

    /// What a move adds to the overload if no branch falls into several. O(vertices moved).
    [[nodiscard]] double overload_added(int a, std::span<const Vertex> out, int b, std::span<const Vertex> in) const;

    /// More than the cost can fall by, if these two branches change.
    [[nodiscard]] double most_saved(int a, int b) const;

    /// What a move changes.
    struct Change {
        double cost = 0;
        double overload = 0;
    };

    /// Prices the move of `out` from branch `a` to branch `b`, and of `in` from `b` to `a`. A negative `b` is a new
    /// branch. O(size² of both).
    [[nodiscard]] Change price(int a, std::span<const Vertex> out, int b, std::span<const Vertex> in);

    /// Makes the move that was priced last.
    void make();

    /// The vertices of the branches that the last move changed: all others have the parents that they had.
    template <class Visit>
    void for_each_moved(Visit&& visit) const {
        for (const Vertex v : from_after_.members) visit(v);
        for (const Vertex v : to_after_.members) visit(v);
    }

private:
    struct Branch {
        std::vector<Vertex> members;  // parents before children
        double cost = 0;
        double load = 0;
    };

    /// The shortest tree that spans some vertices and the root: it may be several branches.
    struct Spanning {
        std::vector<Vertex> members;    // parents before children
        std::vector<Vertex> parents;    // of the members
        std::vector<double> distances;  // likewise, to the parents
        std::vector<int> tops;          // by place: the place of the top of the member's branch
        std::vector<double> loads;      // of the branch, where the member is its top
        double cost = 0;
        double overload = 0;
    };

    [[nodiscard]] static std::size_t at(int branch) { return static_cast<std::size_t>(branch); }
    [[nodiscard]] double overload_of(double load) const { return load > capacity_ ? load - capacity_ : 0; }
    void span(Spanning& spanning) const;
    void gather(int branch, std::span<const Vertex> without, std::span<const Vertex> with, Spanning& spanning);
    void remove(int branch);
    void add(const Spanning& spanning);

    const Problem* problem_;
    const TreeSpec* spec_;
    Vertex root_;
    double capacity_;
    double cost_ = 0;
    int overloaded_ = 0;  // branches
    std::vector<Branch> branches_;
    std::vector<int> free_;        // branches without members
    std::vector<int> branch_;      // (n) −1: the root
    std::vector<Vertex> parent_;   // (n)
    std::vector<char> mark_;       // (n)
    std::vector<Vertex> subtree_;  // the last one asked for
    int from_ = -1;                // of the move that was priced last
    int to_ = -1;
    Spanning from_after_;
    Spanning to_after_;
};

}  // namespace neuroprim::branches
