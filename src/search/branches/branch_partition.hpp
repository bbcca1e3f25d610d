#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "search/branches/branch_tree.hpp"
#include "search/branches/weight_table.hpp"

namespace neuroprim::branches {

/// One branch of a cyclic exchange: `out` leaves it for the branch of the next part, and the last part's `out` goes
/// to the first one. An empty `out` makes the cycle a path. A negative branch is a new one.
struct Part {
    int branch = -1;
    std::span<const Vertex> out;
};

/// The vertices but the root, parted into branches, where nothing but the load of a branch is limited. Within a
/// branch the shortest tree that spans it and the root is best, so the partition says all.
///
/// A branch may carry too much: the tree is then not feasible, and `Change` says what more or less of it there is.
class BranchPartition {
public:
    /// Is the load of a branch its only limit, and length its price?
    [[nodiscard]] static bool suits(const Problem& problem);

    /// What it is given must outlive it, and suit.
    BranchPartition(const Problem& problem, const WeightTable& weights);

    /// Takes a tree over: the vertices of its branches. O(n + size² of each branch).
    void load(const Tree& tree);

    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] bool is_feasible() const { return overloaded_ == 0; }
    [[nodiscard]] int overloaded() const { return overloaded_; }
    [[nodiscard]] int branches() const { return static_cast<int>(branches_.size() - free_.size()); }
    [[nodiscard]] Vertex root() const { return root_; }

    [[nodiscard]] Vertex parent(Vertex v) const { return parent_[index(v)]; }
    [[nodiscard]] int branch(Vertex v) const { return branch_[index(v)]; }
    [[nodiscard]] std::span<const Vertex> members(int branch) const { return branches_[at(branch)].tree.members; }
    [[nodiscard]] double cost(int branch) const { return branches_[at(branch)].tree.cost; }
    [[nodiscard]] bool is_overloaded(int branch) const { return branches_[at(branch)].load > capacity_; }

    /// Appends the subtree of `v`, itself first. O(size of the branch).
    void add_subtree(Vertex v, std::vector<Vertex>& vertices);

    /// What an exchange adds to the overload if no branch falls into several. O(vertices moved).
    [[nodiscard]] double overload_added(std::span<const Part> parts) const;

    /// More than the cost can fall by, if these branches change.
    [[nodiscard]] double most_saved(std::span<const Part> parts) const;

    /// What an exchange adds to the cost. O(size of each branch) where it loses whole subtrees and wins one vertex at
    /// most, O(size²) otherwise.
    [[nodiscard]] double cost_added(std::span<const Part> parts);

    /// What an exchange changes.
    struct Change {
        double cost = 0;
        double overload = 0;
    };

    /// Prices an exchange of different branches. O(size² of each).
    [[nodiscard]] Change price(std::span<const Part> parts);

    /// Makes the exchange that was priced last.
    void make();

    /// The vertices of the branches that the last exchange changed: all others have the parents that they had.
    template <class Visit>
    void for_each_moved(Visit&& visit) const {
        for (std::size_t k = 0; k < changed_.size(); ++k) {
            for (const Vertex v : after_[k].tree.members) visit(v);
        }
    }

    /// The branches that the last exchange made.
    template <class Visit>
    void for_each_new_branch(Visit&& visit) const {
        for (std::size_t k = 0; k < changed_.size(); ++k) {
            const auto& members = after_[k].tree.members;
            for (std::size_t place = 0; place < members.size(); ++place) {
                if (at(after_[k].tops[place]) == place) visit(branch(members[place]));
            }
        }
    }

private:
    struct Branch {
        BranchTree tree;
        double load = 0;
    };

    /// The shortest tree that spans some vertices: it may be several branches.
    struct Spanning {
        BranchTree tree;
        std::vector<int> tops;      // by place: the place of the top of the member's branch
        std::vector<double> loads;  // of the branch, where the member is its top
        double overload = 0;
    };

    [[nodiscard]] static std::size_t at(int branch) { return static_cast<std::size_t>(branch); }
    [[nodiscard]] double overload_of(double load) const { return load > capacity_ ? load - capacity_ : 0; }
    [[nodiscard]] static std::span<const Vertex> incoming(std::span<const Part> parts, std::size_t k) {
        return parts[k == 0 ? parts.size() - 1 : k - 1].out;
    }
    void span(Spanning& spanning) const;
    void gather(int branch, std::span<const Vertex> out, std::span<const Vertex> in, std::vector<Vertex>& members);
    [[nodiscard]] double cost_after(int branch, std::span<const Vertex> out, std::span<const Vertex> in);
    [[nodiscard]] double spanning_cost(std::vector<Vertex>& members);
    void remove(int branch);
    void add(const Spanning& spanning);

    const Problem* problem_;
    const TreeSpec* spec_;
    const WeightTable* weights_;
    Vertex root_;
    double capacity_;
    double cost_ = 0;
    int overloaded_ = 0;  // branches
    std::vector<Branch> branches_;
    std::vector<int> free_;           // branches without members
    std::vector<int> branch_;         // (n) −1: the root
    std::vector<Vertex> parent_;      // (n)
    std::vector<int> place_;          // (n) within the branch
    std::vector<char> mark_;          // (n)
    std::vector<int> changed_;        // by the exchange that was priced last
    std::vector<Spanning> after_;     // its branches then, by part; further ones are not in use
    std::vector<Vertex> some_;        // scratch of `cost_after`
    std::vector<double> candidates_;  // likewise
};

}  // namespace neuroprim::branches
