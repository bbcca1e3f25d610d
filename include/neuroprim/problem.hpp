#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/construction.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A spanning-tree problem on one instance, told as a few small rules.
///
/// Everything that grows trees (the constructions, the policy, the trainer) and everything that judges them
/// asks only these rules, so a new problem is one file that overrides what differs from plain MST.
/// The instance must outlive the problem.
class Problem {
public:
    /// Throws InputError when the weights are no graph (`Weights::check`): a search over NaN would not end.
    explicit Problem(const Instance& instance);
    virtual ~Problem() = default;
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    [[nodiscard]] const Instance& instance() const { return *instance_; }
    [[nodiscard]] const Weights& weights() const { return instance_->weights; }
    [[nodiscard]] Vertex size() const { return instance_->size(); }

    /// The registry's name, or a name of your own.
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Must `v` be in the tree? Terminals for Steiner trees, everything otherwise.
    [[nodiscard]] virtual bool required(Vertex v) const;

    /// Vertices the tree may grow from (A_{K0} in the paper): all required ones, or the root of rooted problems. At
    /// least one: without any, no tree is feasible and `solve` throws InputError.
    [[nodiscard]] virtual std::vector<Vertex> starts() const;

    /// May the tree vertex `u` take one more child? Once the answer is no it must stay no.
    [[nodiscard]] virtual bool has_room(const Construction& state, Vertex u) const;

    /// True when an added edge changes the room of its own two ends only (degree, depth); false when it may
    /// change that of any vertex (capacity of a subtree).
    [[nodiscard]] virtual bool room_is_local() const { return true; }

    /// How many vertices have room at the same time, at most: all, unless the rules say better.
    [[nodiscard]] virtual Vertex most_open() const { return size(); }

    /// May the outside vertex `v` join next? Says no only to a vertex that would lead into a dead end.
    [[nodiscard]] virtual bool admits(const Construction& state, Vertex v) const;

    /// True when it is known without asking that every outside vertex may; false says nothing.
    [[nodiscard]] virtual bool admits_all(const Construction&) const { return false; }

    [[nodiscard]] virtual bool finished(const Construction& state) const;

    /// What the tree costs; the smaller the better. The tree must be valid.
    [[nodiscard]] virtual double cost(const Tree& tree) const;

    /// Is the cost the plain sum of edge weights? Then the MST is a lower bound.
    [[nodiscard]] virtual bool cost_is_total_weight() const { return true; }

    /// Removes what a finished construction does not need (for Steiner trees: leaves that are no terminals).
    [[nodiscard]] virtual Tree tidied(Tree tree) const;

    /// A reason why no tree at all can be feasible, if one is plain to see: the graph is not connected, the
    /// limits do not add up. Nothing does not promise that there is a feasible tree. Near O(m).
    [[nodiscard]] virtual std::optional<std::string> obstacle() const;

    /// The first reason why `tree` is not a feasible answer, or nothing. Structure first, then required vertices,
    /// then room and whether it is finished, by replaying the tree through the rules above.
    [[nodiscard]] std::optional<std::string> violation(const Tree& tree) const;

protected:
    /// The sentence for a vertex with more children than it has room for: "degree 4 > 3 at vertex 17".
    [[nodiscard]] virtual std::string describe_overflow(const Tree& tree, Vertex u) const;

    /// The sentence for a required vertex that the tree leaves out.
    [[nodiscard]] virtual std::string describe_missing(Vertex v) const;

private:
    const Instance* instance_;
};

/// What a problem may need beyond the instance; each problem reads its own part and checks it.
struct ProblemOptions {
    std::optional<int> degree = {};   ///< dcmst: one limit for every vertex
    std::optional<Vertex> root = {};  ///< hmst: where hops are counted from
    std::optional<int> hops = {};     ///< hmst: the longest way from the root
};

/// A line of the registry.
struct ProblemKind {
    std::string_view name;
    std::string_view title;
    std::string_view options;  ///< the options it reads, for help texts
    std::unique_ptr<Problem> (*make)(const Instance&, const ProblemOptions&);
};

[[nodiscard]] std::span<const ProblemKind> problem_kinds();

/// Throws InputError when the name is unknown, or when options and instance do not make a problem.
[[nodiscard]] std::unique_ptr<Problem> make_problem(std::string_view name, const Instance& instance,
                                                    const ProblemOptions& options = {});

}  // namespace neuroprim
