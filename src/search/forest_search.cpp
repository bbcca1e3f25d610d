#include "search/forest_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "problems/root_contraction.hpp"

namespace neuroprim {

namespace {

/// What a bound on the contraction's trees proves about all forests. Where the contraction has not all edges, the
/// spanning tree does, which is among them.
class ProvenBound {
public:
    explicit ProvenBound(const RootContraction& contraction, const Problem& one_root)
        : holds_(contraction.has_all_edges()) {
        if (!holds_) most_ = lower_bound(one_root);
    }

    [[nodiscard]] std::optional<double> of(const std::optional<double>& bound) const {
        if (holds_ || !bound) return bound;
        return most_ ? std::optional(std::min(*bound, *most_)) : std::nullopt;
    }

private:
    bool holds_;
    std::optional<double> most_;
};

/// Where the search stands, told with the forest that its tree stands for.
class ForestState {
public:
    ForestState(const RootContraction& contraction, const ProvenBound& proven, const SearchState& state)
        : state_(state) {
        state_.bound = proven.of(state.bound);
        if (state.tree == nullptr) return;
        forest_ = contraction.forest(*state.tree);
        state_.tree = &forest_;
    }
    ForestState(const ForestState&) = delete;
    ForestState& operator=(const ForestState&) = delete;

    [[nodiscard]] const SearchState& state() const { return state_; }

private:
    SearchState state_;
    Tree forest_;
};

/// A rule of the caller's own, asked about forests.
class ForestRule final : public StoppingRule {
public:
    ForestRule(const RootContraction& contraction, const ProvenBound& proven,
               std::shared_ptr<const StoppingRule> rule)
        : contraction_(contraction), proven_(proven), rule_(std::move(rule)) {}

    [[nodiscard]] bool stop(const SearchState& state) const override {
        return rule_->stop(ForestState(contraction_, proven_, state).state());
    }
    [[nodiscard]] double deadline() const override { return rule_->deadline(); }

private:
    const RootContraction& contraction_;
    const ProvenBound& proven_;
    std::shared_ptr<const StoppingRule> rule_;
};

SolveOptions contracted(const SolveOptions& options, const RootContraction& contraction, const ProvenBound& proven) {
    SolveOptions result = options;
    if (options.start != no_vertex) result.start = contraction.contracted(options.start);
    if (options.warm_start) result.warm_start = contraction.contracted(*options.warm_start);
    if (options.stopping) result.stopping = std::make_shared<ForestRule>(contraction, proven, options.stopping);
    if (options.watcher) {
        result.watcher = [&](const SearchState& state, std::string_view found_by) {
            options.watcher(ForestState(contraction, proven, state).state(), found_by);
        };
    }
    return result;
}

}  // namespace

Solution solve_forest(const Problem& problem, const SolveOptions& options) {
    if (!problem.is_plain()) {
        throw InputError("a rule or a cost as code works on one tree: give one root, not several");
    }
    if (options.warm_start) {
        if (const auto reason = problem.violation(*options.warm_start)) {
            throw InputError(fmt::format("the forest to go on from is not feasible: {}", *reason));
        }
    }
    const RootContraction contraction(problem.spec(), problem.instance());
    const Problem one_root(contraction.instance(), contraction.spec(), std::string(problem.name()));
    const ProvenBound proven(contraction, one_root);
    Solution solution = solve(one_root, contracted(options, contraction, proven));
    solution.tree = contraction.forest(solution.tree);
    solution.bound = proven.of(solution.bound);
    if (const auto reason = problem.violation(solution.tree)) {
        throw Infeasible(fmt::format("{} found no feasible forest: {}", solution.method, *reason));
    }
    solution.other_roots = problem.spec().other_roots;
    solution.spec = std::make_shared<const TreeSpec>(problem.spec());
    solution.n = problem.size();
    solution.cost = problem.cost(solution.tree);
    solution.specification = describe(problem.spec(), problem.instance());
    return solution;
}

}  // namespace neuroprim
