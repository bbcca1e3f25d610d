#include "search/branches/branch_dives.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/whole_weights.hpp"

namespace neuroprim::branches {

namespace {

/// So many branches are taken from the pool at a time, those with the least reduced costs.
constexpr std::size_t candidates_at_a_time = 100;
/// A value above this counts as one; one below the other counts as zero.
constexpr double almost_one = 0.99;
constexpr double almost_zero = 0.01;
/// A branch is fixed with a probability in proportion to this power of its value.
constexpr double greed = 3;
/// Up to so many pairs of vertices are kept apart in a dive.
constexpr std::uint64_t most_pairs_apart = 2;
/// Branches that cannot be in a better tree leave the pool after so many dives.
constexpr std::int64_t dives_per_cleaning = 20;
/// The right-hand sides of the linear program are larger than one by less than this.
constexpr double perturbation = 1e-4;
/// Less than this part of a cost is rounding.
constexpr double rounding_of_duals = 1e-9;
/// What takes as long as a step of the annealing: so many vertices of the pool are priced, so many entries of an
/// inverse updated, so many vertices compared while changes are looked for.
constexpr std::int64_t prices_per_step = 64;
constexpr std::int64_t entries_per_step = 300;
constexpr std::int64_t comparisons_per_step = 80;
/// A piece of work ends after so many steps: some milliseconds.
constexpr std::int64_t steps_per_piece = 10'000;

/// The bits 2k and 2k + 1 stand for the k-th pair of vertices that are kept apart.
bool has_both(unsigned apart) {
    return (apart & apart >> 1 & 0x55555555U) != 0;
}

std::vector<double> costs_alone(const Problem& problem, const WeightTable& weights, double most) {
    const Vertex root = *problem.spec().root;
    std::vector<double> costs(index(problem.size()), 0);
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v != root) costs[index(v)] = std::min(weights(root, v), most);
    }
    return costs;
}

/// More than any two trees differ by, as long as edges are there.
double forbidding_cost(const Problem& problem) {
    double longest = 0;
    for (Vertex v = 0; v < problem.size(); ++v) {
        problem.weights().for_each_neighbour(v, [&](Vertex, double weight) { longest = std::max(longest, weight); });
    }
    return longest * problem.size();
}

}  // namespace

BranchDives::BranchDives(const Problem& problem, const WeightTable& weights, Random random)
    : problem_(&problem),
      weights_(&weights),
      tree_root_(*problem.spec().root),
      has_whole_weights_(has_whole_weights(problem.weights())),
      random_(random),
      pool_(problem.size()),
      pricing_(problem, weights),
      forbidden_(forbidding_cost(problem)),
      lp_(costs_alone(problem, weights, forbidden_)),
      root_(lp_),
      apart_(index(problem.size()), 0),
      is_fixed_(index(problem.size()), 0),
      prices_(index(problem.size())) {
    begin_dive();
}

void BranchDives::offer(std::span<const Vertex> branch, double cost, double best_cost) {
    if (solved_ && root_value_ + root_.reduced_cost(branch, cost) > most(best_cost)) return;
    pool_.add(branch, cost);
}

void BranchDives::offer_improvement(std::span<const Vertex> branch, double cost) {
    if (root_.reduced_cost(branch, cost) < -rounding_of_duals * (1 + cost)) pool_.add(branch, cost);
}

std::int64_t BranchDives::advance(double best_cost) {
    found_.reset();
    switch (stage_) {
        case Stage::pool:
            return enter_from_pool();
        case Stage::changes:
            return add_changes();
        default:
            return fix(best_cost);
    }
}

/// A tree that costs more is no better, as far as the linear program can tell.
double BranchDives::most(double best_cost) const {
    return (has_whole_weights_ ? best_cost - 1 : best_cost) * (1 + perturbation);
}

void BranchDives::begin_dive() {
    std::fill(is_fixed_.begin(), is_fixed_.end(), 0);
    is_fixed_[index(tree_root_)] = 1;
    std::fill(apart_.begin(), apart_.end(), 0);
    is_at_root_ = true;
    chosen_.clear();
    fixed_cost_ = 0;
    lp_ = root_;
    has_pivoted_ = !solved_;
    stage_ = Stage::pool;
}

void BranchDives::set_prices() {
    const auto duals = lp_.duals();
    for (std::size_t v = 0; v < prices_.size(); ++v) prices_[v] = is_fixed_[v] ? -Weights::infinity : duals[v];
}

bool BranchDives::is_allowed(std::span<const Vertex> branch) const {
    unsigned apart = 0;
    for (const Vertex v : branch) {
        if (is_fixed_[index(v)]) return false;
        apart |= apart_[index(v)];
    }
    return !has_both(apart);
}

std::int64_t BranchDives::pivot_steps() const {
    return 1 + static_cast<std::int64_t>(prices_.size() * prices_.size()) / entries_per_step;
}

/// The simplex method over a few branches of the pool, those with the least reduced costs.
std::int64_t BranchDives::enter_from_pool() {
    const auto reduced_cost = [&](std::size_t place) {
        double reduced = pool_.cost(place);
        unsigned apart = 0;
        for (const Vertex v : pool_.vertices(place)) {
            reduced -= prices_[index(v)];
            apart |= apart_[index(v)];
        }
        return has_both(apart) ? Weights::infinity : reduced;
    };
    const auto is_negative = [&](const Candidate& candidate) {
        return candidate.reduced_cost < -rounding_of_duals * (1 + pool_.cost(candidate.place));
    };
    set_prices();
    candidates_.clear();
    for (std::size_t place = 0; place < pool_.size(); ++place) {
        const Candidate candidate{reduced_cost(place), place};
        if (is_negative(candidate)) candidates_.push_back(candidate);
    }
    std::int64_t steps = 1 + static_cast<std::int64_t>(pool_.vertex_count()) / prices_per_step;
    if (candidates_.empty()) {
        // What is left after a few branches are fixed is not worth more than one pass.
        const bool asks_for_changes = has_pivoted_ && (is_at_root_ || !has_seen_changes_);
        stage_ = asks_for_changes ? Stage::changes : Stage::fixing;
        next_change_ = 0;
        changes_ = 0;
        return steps;
    }
    if (candidates_.size() > candidates_at_a_time) {
        const auto end = candidates_.begin() + candidates_at_a_time;
        std::nth_element(candidates_.begin(), end, candidates_.end());
        candidates_.erase(end, candidates_.end());
    }
    while (steps < steps_per_piece) {
        for (Candidate& candidate : candidates_) candidate.reduced_cost = reduced_cost(candidate.place);
        const auto best = std::min_element(candidates_.begin(), candidates_.end());
        if (!is_negative(*best)) break;
        const bool leads_on = lp_.enter(pool_.vertices(best->place), pool_.cost(best->place));
        has_pivoted_ = true;
        steps += pivot_steps();
        if (!leads_on) {
            lp_.refactor();
            stage_ = Stage::fixing;
            break;
        }
        set_prices();
    }
    return steps;
}

std::int64_t BranchDives::add_changes() {
    const auto basis = lp_.basis();
    std::int64_t steps = 1;
    for (; next_change_ < basis.size() && steps < steps_per_piece; ++next_change_) {
        const auto& branch = basis[next_change_].vertices;
        if (!is_allowed(branch)) continue;
        changes_ += pricing_.around(branch, prices_, pool_);
        steps +=
            static_cast<std::int64_t>(branch.size() * (branch.size() + 1) * prices_.size()) / comparisons_per_step;
    }
    if (next_change_ < basis.size()) return steps;
    has_pivoted_ = false;
    has_seen_changes_ = true;
    stage_ = changes_ > 0 ? Stage::pool : Stage::fixing;
    return steps;
}

void BranchDives::keep_root(double best_cost) {
    root_ = lp_;
    root_value_ = lp_.value();
    solved_ = true;
    if (dives_++ % dives_per_cleaning != 0) return;
    const double most_reduced = most(best_cost) - root_value_;
    pool_.keep_if([&](std::span<const Vertex> branch, double cost) {
        return root_.reduced_cost(branch, cost) <= most_reduced;
    });
}

/// Keeps some vertices apart that the relaxation has together, so that a dive does not end as the others did.
/// False if it keeps none apart.
bool BranchDives::separate() {
    std::vector<std::span<const Vertex>> fractions;
    for (const auto& column : lp_.basis()) {
        const bool is_fraction = column.value > almost_zero && column.value < almost_one;
        if (is_fraction && column.vertices.size() > 1) fractions.emplace_back(column.vertices);
    }
    const std::uint64_t pairs = fractions.empty() ? 0 : random_.below(most_pairs_apart + 1);
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        const auto branch = fractions[random_.below(fractions.size())];
        const std::size_t one = random_.below(branch.size());
        const std::size_t other = (one + 1 + random_.below(branch.size() - 1)) % branch.size();
        apart_[index(branch[one])] |= 1U << (2 * pair);
        apart_[index(branch[other])] |= 2U << (2 * pair);
    }
    if (pairs > 0) forbid();
    return pairs > 0;
}

/// Basic branches that are not allowed any more shall leave.
void BranchDives::forbid() {
    lp_.change_costs([&](const PartitionLp::Column& column) {
        const bool is_forbidden = column.cost >= forbidden_;
        return is_forbidden || is_allowed(column.vertices) ? column.cost : column.cost + forbidden_;
    });
    has_pivoted_ = true;
    has_seen_changes_ = false;
    stage_ = Stage::pool;
}

/// Fixes all branches whose value is one, or one of the others if there are none.
std::int64_t BranchDives::fix(double best_cost) {
    const std::int64_t steps = pivot_steps();
    if (is_at_root_) {
        is_at_root_ = false;
        keep_root(best_cost);
        if (separate()) return steps;
    }
    double value = fixed_cost_;
    double sum = 0;
    std::vector<const PartitionLp::Column*> ones;
    std::vector<const PartitionLp::Column*> fractions;
    for (const auto& column : lp_.basis()) {
        if (!is_allowed(column.vertices)) continue;
        value += column.cost * column.value;
        if (column.value > almost_one) {
            ones.push_back(&column);
        } else if (column.value > almost_zero) {
            fractions.push_back(&column);
            sum += std::pow(column.value, greed);
        }
    }
    if (value > most(best_cost) || (ones.empty() && fractions.empty())) {
        begin_dive();
        return steps;
    }
    if (ones.empty()) {
        double share = sum * random_.uniform();
        std::size_t pick = 0;
        while (pick + 1 < fractions.size() && (share -= std::pow(fractions[pick]->value, greed)) > 0) ++pick;
        ones.push_back(fractions[pick]);
    }
    for (const auto* column : ones) {
        if (!is_allowed(column->vertices)) continue;
        BranchTree branch;
        branch.members = column->vertices;
        branch.span(*weights_, tree_root_);
        fixed_cost_ += branch.cost;
        for (const Vertex v : branch.members) is_fixed_[index(v)] = 1;
        chosen_.push_back(std::move(branch));
    }
    if (std::all_of(is_fixed_.begin(), is_fixed_.end(), [](char fixed) { return fixed != 0; })) {
        complete(best_cost);
        begin_dive();
        return steps;
    }
    forbid();
    return steps;
}

void BranchDives::complete(double best_cost) {
    if (!(fixed_cost_ < best_cost * (1 - rounding_of_duals))) return;
    Tree tree{tree_root_, {}};
    for (const auto& [members, above, lengths, cost] : chosen_) {
        for (std::size_t k = 0; k < members.size(); ++k) {
            const Vertex parent = above[k] < 0 ? tree_root_ : members[static_cast<std::size_t>(above[k])];
            tree.edges.push_back({parent, members[k]});
        }
    }
    found_ = grown_from(tree, tree_root_, problem_->size());
}

}  // namespace neuroprim::branches
