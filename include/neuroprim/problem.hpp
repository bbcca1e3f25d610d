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
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

class EdgePlan;

/// A specification on one instance, and the questions that growing a tree asks of it.
///
/// Everything that grows trees (the constructions, the policy, the trainer) asks these rules; whoever can exploit
/// more asks `spec()`. A rule or a cost of the user's own is a class that overrides what differs: it is a
/// specification plus a hook, and gets the searches that know no problem in particular. The instance must outlive the
/// problem.
class Problem {
public:
    /// `name` is that of a preset, or one of your own. Throws InputError when the specification does not fit
    /// (`check`), and when the weights are no graph (`Weights::check`): a search over NaN would not end.
    explicit Problem(const Instance& instance, TreeSpec spec = {}, std::string name = "tree");
    virtual ~Problem() = default;
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    /// The instance without the excluded edges.
    [[nodiscard]] const Instance& instance() const { return *instance_; }
    [[nodiscard]] const Weights& weights() const { return instance_->weights; }
    [[nodiscard]] Vertex size() const { return instance_->size(); }
    [[nodiscard]] const TreeSpec& spec() const { return spec_; }

    /// The component of `v` in the forest of included edges; −1: it is at none.
    [[nodiscard]] int included_component(Vertex v) const {
        return included_component_.empty() ? -1 : included_component_[index(v)];
    }
    [[nodiscard]] int included_components() const { return included_components_; }
    [[nodiscard]] bool is_included(Vertex u, Vertex v) const;

    /// Is it told by its specification alone, without a rule or a cost as code? Only then may a search or a bound
    /// rely on `spec()`.
    [[nodiscard]] bool is_plain() const;

    [[nodiscard]] virtual std::string_view name() const { return name_; }

    /// Must `v` be in the tree? Terminals for Steiner trees, everything otherwise.
    [[nodiscard]] virtual bool required(Vertex v) const { return required_[index(v)]; }

    /// Vertices the tree may grow from (A_{K0} in the paper): the root, or all required ones, or, where none is, all
    /// that are worth something. At least one: without any, no tree is feasible and `solve` throws InputError.
    [[nodiscard]] virtual std::vector<Vertex> starts() const;

    /// Row: may the tree vertex `u` take one more child? Once the answer is no it must stay no.
    [[nodiscard]] virtual bool has_residual_capacity(const Construction& state, Vertex u) const;

    /// True when an added edge changes the residual capacity of its own two ends only (degree, depth); false when it
    /// may change that of any vertex (load of a branch, diameter).
    [[nodiscard]] virtual bool residual_capacity_is_local() const;

    /// How many vertices have residual capacity at the same time, at most: all, unless the rules say better.
    [[nodiscard]] virtual Vertex most_open() const;

    /// Column: may the outside vertex `v` join next? Says no to a vertex that would lead into a dead end, and to one
    /// whose group is in the tree already.
    [[nodiscard]] virtual bool lookahead_allows(const Construction& state, Vertex v) const;

    /// True when it is known without asking that every outside vertex may; false says nothing.
    [[nodiscard]] virtual bool lookahead_allows_all(const Construction& state) const;

    /// Pair: may the open vertex `u` take the admitted vertex `v`? (Its demand fits, the way is short enough.)
    [[nodiscard]] virtual bool joins(const Construction& state, Vertex u, Vertex v) const;

    /// False where the answer is always yes, so that legal edges are an outer product of rows and columns.
    [[nodiscard]] virtual bool has_pair_rule() const;

    /// May the tree stop growing here: is everything in that must be?
    [[nodiscard]] virtual bool may_stop(const Construction& state) const;

    /// Must it: is nothing left outside that it should hold? Where vertices are left out at a price, a tree that may
    /// stop may also grow on.
    [[nodiscard]] virtual bool must_stop(const Construction& state) const;

    /// What the tree costs; the smaller the better. The tree must be valid.
    [[nodiscard]] virtual double cost(const Tree& tree) const;

    /// Is the cost the plain sum of edge weights? Then the MST is a lower bound.
    [[nodiscard]] virtual bool cost_is_total_weight() const;

    /// Removes what a finished construction does not need: leaves that need not be in and do not pay.
    [[nodiscard]] virtual Tree pruned(Tree tree) const;

    /// A reason why no tree at all can be feasible, if one is plain to see: the graph is not connected, the
    /// limits do not add up. Nothing does not promise that there is a feasible tree. Near O(m).
    [[nodiscard]] virtual std::optional<std::string> infeasibility_certificate() const;

    /// The first reason why `tree` is not a feasible answer, or nothing. The specification is judged by its
    /// definition
    /// (`violation` of tree_spec.hpp); rules as code by replaying the tree through them.
    [[nodiscard]] std::optional<std::string> violation(const Tree& tree) const;

protected:
    /// The sentence for a vertex with more children than its residual capacity: "degree 4 > 3 at vertex 17".
    [[nodiscard]] virtual std::string describe_overflow(const Tree& tree, Vertex u) const;

    /// The sentence for a required vertex that the tree leaves out.
    [[nodiscard]] virtual std::string describe_missing(Vertex v) const;

private:
    void find_included_components();
    [[nodiscard]] std::optional<std::string> replayed(const Tree& tree) const;

    const Instance* instance_;
    std::shared_ptr<const Instance> without_excluded_;  // what instance_ points at where edges are excluded
    TreeSpec spec_;
    std::string name_;
    std::shared_ptr<const EdgePlan> plan_;  // where edges run, if they may not cross
    std::vector<bool> required_;            // (n)
    std::vector<int> included_component_;   // (n) of the forest of included edges, −1: at none; empty without any
    int included_components_ = 0;
    double least_demand_ = 1;
    bool has_single_places_ = false;  // some vertex may have one tree edge only
};

/// A line of the registry: a specification with a name.
struct ProblemKind {
    std::string_view name;
    std::string_view title;
    std::string_view options;  ///< the options it reads, for help texts
    TreeSpec (*specify)(const Instance&, const ProblemOptions&);
};

[[nodiscard]] std::span<const ProblemKind> problem_kinds();

/// The specification that the preset of this name makes of instance and options. Throws InputError when the name is
/// unknown, when the preset lacks something, or when it does not read an option that is given.
[[nodiscard]] TreeSpec specify(std::string_view name, const Instance& instance, const ProblemOptions& options = {});

/// The preset that says just what options and input say, where there is one: a hop limit alone is `hmst`, terminals
/// alone `stp`, nothing at all `mst`. Two or more of them together are `tree`.
[[nodiscard]] std::string_view implied_preset(const Instance& instance, const ProblemOptions& options);

/// A problem by the name of its preset.
[[nodiscard]] std::unique_ptr<Problem> make_problem(std::string_view name, const Instance& instance,
                                                    const ProblemOptions& options = {});

}  // namespace neuroprim
