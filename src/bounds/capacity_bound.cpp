#include "bounds/capacity_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bounds/branch_loads.hpp"
#include "bounds/branch_relaxation.hpp"
#include "bounds/capacity_cuts.hpp"
#include "bounds/ng_branches.hpp"
#include "bounds/whole_weights.hpp"

namespace neuroprim {

namespace {

/// Looks at a number in a table that take some ten milliseconds: a slice must not depend on the clock.
constexpr std::int64_t capacity_looks_per_slice = 20'000'000;
/// Finer units than that gain little; those that need so many looks take too long.
constexpr std::int64_t most_fineness = 4;
constexpr std::int64_t most_looks_per_step = 40'000'000;
constexpr std::int64_t most_looks_at_first = 8'000'000;
/// Memories of a step with few looks may grow as they like; others may double the looks.
constexpr std::int64_t few_looks = 2'000'000;
constexpr std::int64_t most_looks_to_remember = 8'000'000;

/// How a phase makes its steps.
struct Pace {
    double first_scale;
    double last_scale;
    double decay;  // of the scale
    int patience;  // steps without success before it
};

constexpr Pace tree_alone_pace = {1.0, 0.003, 0.8, 50};
constexpr Pace branches_alone_pace = {1.0, 0.01, 0.7, 30};
constexpr Pace together = {0.1, 1e-4, 0.95, 20};
constexpr double least_gain = 1e-4;  // of a round of steps that is worth another one
constexpr double memory = 0.8;       // of the direction
constexpr double mean_share = 0.1;   // of a new tree in the mean of trees
constexpr std::size_t cuts_kept_of_tree = 100;
constexpr std::size_t cuts_kept_of_round = 60;
constexpr int steps_between_cuts = 50;
constexpr int steps_between_lessons = 5;

class CapacityBound final : public BoundProcess {
public:
    CapacityBound(const Problem& problem, BranchLoads loads)
        : problem_(problem),
          n_(index(problem.size())),
          root_(index(*problem.spec().root)),
          loads_(std::move(loads)),
          is_whole_(problem.spec().objective == Objective::length && has_whole_weights(problem.weights())),
          least_price_(loads_.price[static_cast<std::size_t>(least_units())]),
          weights_(n_, n_, std::numeric_limits<double>::infinity()),
          share_(n_, n_, 0),
          best_share_(n_, n_, 0),
          direction_(n_, n_, 0),
          costs_(n_, n_, 0),
          mean_(n_, n_, 0),
          branches_(std::in_place, weights_, *problem.spec().root, loads_, problem.spec().hops),
          cuts_(loads_, *problem.spec().root),
          reward_(n_, 0),
          best_reward_(n_, 0),
          reward_direction_(n_, 0) {
        for (Vertex u = 0; u < problem.size(); ++u) {
            problem.weights().for_each_neighbour(u, [&](Vertex v, double w) { weights_[index(u)][index(v)] = w; });
        }
        begin_tree();
    }

    bool advance(double upper, const StopToken& stop) override {
        upper_ = std::min(upper_, upper);
        std::int64_t looks = capacity_looks_per_slice;
        while (!finished_ && looks > 0 && !stop.expired()) {
            looks -= looks_per_step();
            evaluate();
            step();
        }
        return !finished_;
    }

    [[nodiscard]] double value() const override { return value_; }

private:
    enum class Phase { tree, branches, both };

    [[nodiscard]] int least_units() const {
        int least = loads_.most;
        for (std::size_t v = 0; v < n_; ++v) {
            if (v != root_) least = std::min(least, loads_.units[v]);
        }
        return least;
    }

    [[nodiscard]] std::int64_t looks_per_step() const {
        const auto n = static_cast<std::int64_t>(n_);
        return n * n * 4 + (phase_ == Phase::tree ? 0
                            : ng_branches_        ? ng_branches_->looks()
                                                  : looks_at_branches(loads_));
    }

    [[nodiscard]] std::span<const Edge> branch_edges() const {
        return ng_branches_ ? ng_branches_->edges() : branches_->edges();
    }

    [[nodiscard]] std::int64_t looks_at_branches(const BranchLoads& loads) const {
        const auto n = static_cast<std::int64_t>(n_);
        const std::int64_t most = loads.most;
        const std::int64_t level = n * n * most + n * most * most / 2;
        return level * branches_->levels() + loads.total * most;
    }

    /// Rounds demands less. False when they are not rounded, or when a step would take too long.
    bool refine(std::int64_t most_looks) {
        if (loads_.is_exact || fineness_ >= most_fineness) return false;
        auto finer = branch_loads(problem_, 2 * fineness_);
        if (!finer || finer->most <= loads_.most || looks_at_branches(*finer) > most_looks) return false;
        fineness_ *= 2;
        loads_ = std::move(*finer);
        branches_.emplace(weights_, static_cast<Vertex>(root_), loads_, problem_.spec().hops);
        ng_branches_.reset();  // its tables are as large as the units before
        return true;
    }

    /// Lets branches remember vertices. False when they do already, when they keep a hop limit, or when a step would
    /// take too long.
    bool begin_to_remember() {
        if (ng_branches_ || branches_->levels() > 1 || looks_at_branches(loads_) > most_looks_to_remember)
            return false;
        ng_branches_.emplace(weights_, static_cast<Vertex>(root_), loads_);
        return true;
    }

    [[nodiscard]] bool may_learn() const {
        const std::int64_t plain = looks_at_branches(loads_);
        return ng_branches_ && (plain <= few_looks || ng_branches_->looks() < 2 * plain);
    }

    [[nodiscard]] bool uses_tree() const { return phase_ != Phase::branches; }
    [[nodiscard]] bool uses_branches() const { return phase_ != Phase::tree; }

    /// Edges cost the tree this share of what they cost at least; the branches pay the rest.
    void give_tree(double part) {
        for (std::size_t u = 0; u < n_; ++u) {
            for (std::size_t v = 0; v < n_; ++v) {
                share_[u][v] = std::isfinite(weights_[u][v]) ? part * least_price_ * weights_[u][v] : 0;
            }
        }
    }

    void begin_tree() {
        phase_ = Phase::tree;
        give_tree(1);
        begin(tree_alone_pace);
    }

    void begin_branches() {
        phase_ = Phase::branches;
        give_tree(0);
        // A vertex earns its cheapest edge at first.
        for (std::size_t v = 0; v < n_; ++v) {
            reward_[v] = *std::min_element(weights_[v], weights_[v] + n_) * least_price_;
            if (v == root_ || !std::isfinite(reward_[v])) reward_[v] = 0;
        }
        begin(branches_alone_pace);
    }

    void begin_both() {
        phase_ = Phase::both;
        while (refine(most_looks_at_first)) {
        }
        static_cast<void>(begin_to_remember());
        // The better part alone keeps the larger share, but the other one must not be left with nothing to say.
        const double lead = (tree_alone_ - branches_alone_) / std::max(tree_alone_, 1e-300);
        const double part = std::clamp(0.5 + 4 * lead, 0.1, 0.9);
        give_tree(part);
        reward_ = best_reward_;
        for (double& reward : reward_) reward *= 1 - part;
        cuts_.keep_dearest(cuts_kept_of_tree);
        for (CapacityCut& cut : cuts_.cuts()) cut.penalty = cut.best_penalty *= part;
        begin(together);
    }

    void begin(const Pace& pace) {
        pace_ = &pace;
        scale_ = pace.first_scale;
        in_vain_ = 0;
        best_ = -std::numeric_limits<double>::infinity();
        std::fill(reward_direction_.begin(), reward_direction_.end(), 0.0);
        direction_ = PaddedTable(n_, n_, 0);
        for (CapacityCut& cut : cuts_.cuts()) cut.direction = 0;
        remember();
    }

    void remember() {
        best_share_ = share_;
        best_reward_ = reward_;
        if (!uses_tree()) return;
        for (CapacityCut& cut : cuts_.cuts()) cut.best_penalty = cut.penalty;
    }

    void return_to_best() {
        share_ = best_share_;
        reward_ = best_reward_;
        if (!uses_tree()) return;
        for (CapacityCut& cut : cuts_.cuts()) cut.penalty = cut.best_penalty;
    }

    /// What the multipliers prove.
    void evaluate() {
        double sum = 0;
        double magnitude = 0;
        const auto add = [&](double term) {
            sum += term;
            magnitude += std::abs(term);
        };
        if (uses_tree()) {
            grow_tree();
            for (const auto& [u, v] : tree_) add(costs_[index(u)][index(v)]);
            for (const CapacityCut& cut : cuts_.cuts()) add(-cut.penalty * cut.most_edges);
        }
        if (uses_branches()) {
            add(ng_branches_ ? ng_branches_->solve(share_, reward_) : branches_->solve(share_, reward_));
            for (const double reward : reward_) add(reward);
        }
        current_ = sum;
        if (!std::isfinite(sum)) return;
        // Some units in the last place for each number that went into a sum.
        const double proven = sum - 1e-14 * static_cast<double>(n_) * magnitude;
        value_ = std::max(value_, std::min(is_whole_ ? std::ceil(proven) : proven, upper_));
    }

    /// Prim's algorithm over shares and penalties.
    void grow_tree() {
        costs_ = share_;
        for (const CapacityCut& cut : cuts_.cuts()) {
            if (cut.penalty <= 0) continue;
            for (const Vertex u : cut.set) {
                double* row = costs_[index(u)];
                for (const Vertex v : cut.set) row[index(v)] += cut.penalty;
            }
        }
        tree_.clear();
        key_.assign(n_, std::numeric_limits<double>::infinity());
        through_.assign(n_, no_vertex);
        outside_.clear();
        for (std::size_t v = 0; v < n_; ++v) {
            if (v != root_) outside_.push_back(v);
        }
        for (std::size_t last = root_; !outside_.empty();) {
            std::size_t best = 0;
            for (std::size_t k = 0; k < outside_.size(); ++k) {
                const std::size_t v = outside_[k];
                if (std::isfinite(weights_[last][v]) && costs_[last][v] < key_[v]) {
                    key_[v] = costs_[last][v];
                    through_[v] = static_cast<Vertex>(last);
                }
                if (key_[v] < key_[outside_[best]]) best = k;
            }
            last = outside_[best];
            if (through_[last] == no_vertex) return;  // the graph is not connected: whatever is claimed holds
            outside_[best] = outside_.back();
            outside_.pop_back();
            tree_.push_back({through_[last], static_cast<Vertex>(last)});
        }
    }

    void step() {
        if (!std::isfinite(current_)) {  // no branches carry the demand: no tree keeps the capacity
            finished_ = true;
            return;
        }
        if (current_ > best_) {
            if (current_ > best_ + 1e-5 * std::abs(best_)) in_vain_ = 0;
            best_ = current_;
            remember();
        }
        if (uses_tree()) separate();
        if (may_learn() && steps_ % steps_between_lessons == 0) ng_branches_->learn();
        const double square = turn();
        finished_ = finished_ || value_ >= upper_;
        if (++in_vain_ > pace_->patience) {
            in_vain_ = 0;
            scale_ *= pace_->decay;
            return_to_best();
            if (scale_ < pace_->last_scale) end_phase();
            return;
        }
        if (!(square > 0)) return;
        const double target = std::isfinite(upper_) ? upper_ : 1.1 * std::abs(best_) + 1;
        const double length = scale_ * std::max(target - current_, 1e-3 * std::abs(target)) / square;
        if (uses_tree()) {
            for (CapacityCut& cut : cuts_.cuts()) cut.penalty = std::max(0.0, cut.penalty + length * cut.direction);
        }
        if (uses_branches()) {
            for (std::size_t v = 0; v < n_; ++v) reward_[v] += length * reward_direction_[v];
        }
        if (phase_ != Phase::both) return;
        for (std::size_t u = 0; u < n_; ++u) {
            for (std::size_t v = 0; v < n_; ++v) share_[u][v] += length * direction_[u][v];
        }
    }

    void end_phase() {
        switch (phase_) {
            case Phase::tree:
                tree_alone_ = best_;
                return begin_branches();
            case Phase::branches:
                branches_alone_ = best_;
                return begin_both();
            case Phase::both:
                // Cuts that were found late, and large steps again, may lead further; so do better branches.
                rounds_in_vain_ = best_ < last_round_ * (1 + least_gain) ? rounds_in_vain_ + 1 : 0;
                if (refine(most_looks_per_step)) rounds_in_vain_ = 0;
                if (begin_to_remember()) rounds_in_vain_ = 0;
                finished_ = rounds_in_vain_ > 1;
                last_round_ = std::max(best_, last_round_);
                cuts_.keep_dearest(cuts_kept_of_round);
                begin(together);
        }
    }

    void separate() {
        const double share = steps_ == 0 ? 1 : mean_share;
        for (std::size_t u = 0; u < n_; ++u) {
            for (std::size_t v = 0; v < n_; ++v) mean_[u][v] *= 1 - share;
        }
        for (const auto& [u, v] : tree_) {
            mean_[index(u)][index(v)] += share;
            mean_[index(v)][index(u)] += share;
        }
        if (++steps_ % steps_between_cuts == steps_between_cuts / 2) cuts_.separate(mean_);
    }

    /// Turns the direction towards the new subgradient. Returns the square of its length.
    double turn() {
        double square = 0;
        if (uses_tree()) {
            for (CapacityCut& cut : cuts_.cuts()) {
                int edges = 0;
                for (const auto& [u, v] : tree_) edges += cut.holds[index(u)] & cut.holds[index(v)];
                double excess = edges - cut.most_edges;
                if (cut.penalty <= 0 && excess < 0) excess = cut.direction = 0;
                cut.direction = memory * cut.direction + (1 - memory) * excess;
                square += cut.direction * cut.direction;
            }
        }
        if (uses_branches()) {
            for (std::size_t v = 0; v < n_; ++v) {
                reward_direction_[v] = memory * reward_direction_[v] + (v == root_ ? 0 : 1 - memory);
            }
            for (const auto& [u, v] : branch_edges()) reward_direction_[index(v)] -= 1 - memory;
            for (const double direction : reward_direction_) square += direction * direction;
        }
        if (phase_ != Phase::both) return square;
        for (std::size_t u = 0; u < n_; ++u) {
            for (std::size_t v = 0; v < n_; ++v) direction_[u][v] *= memory;
        }
        const auto push = [&](const Edge& edge, double amount) {
            direction_[index(edge.u)][index(edge.v)] += amount;
            direction_[index(edge.v)][index(edge.u)] += amount;
        };
        for (const Edge& edge : tree_) push(edge, 1 - memory);
        for (const Edge& edge : branch_edges()) push(edge, memory - 1);
        double twice = 0;
        for (std::size_t u = 0; u < n_; ++u) {
            for (std::size_t v = 0; v < n_; ++v) twice += direction_[u][v] * direction_[u][v];
        }
        return square + twice / 2;
    }

    const Problem& problem_;
    std::size_t n_;
    std::size_t root_;
    BranchLoads loads_;
    std::int64_t fineness_ = 1;  // of the loads
    bool is_whole_;
    double least_price_;      // of any edge, per unit of weight
    PaddedTable weights_;     // (n, n)
    PaddedTable share_;       // (n, n) λ
    PaddedTable best_share_;  // (n, n)
    PaddedTable direction_;   // (n, n) of the shares
    PaddedTable costs_;       // (n, n) shares with penalties
    PaddedTable mean_;        // (n, n) how often the last trees had each edge
    std::optional<BranchRelaxation> branches_;
    std::optional<NgBranches> ng_branches_;  // in their place
    CapacityCuts cuts_;
    std::vector<double> reward_;            // (n)
    std::vector<double> best_reward_;       // (n)
    std::vector<double> reward_direction_;  // (n)

    std::vector<Edge> tree_;
    std::vector<double> key_;  // (n) of the cheapest edge to the tree
    std::vector<Vertex> through_;
    std::vector<std::size_t> outside_;

    Phase phase_ = Phase::tree;
    const Pace* pace_ = &tree_alone_pace;
    double scale_ = 1;
    int in_vain_ = 0;
    std::int64_t steps_ = 0;
    double current_ = 0;
    double best_ = 0;  // of the phase
    double tree_alone_ = 0;
    double branches_alone_ = 0;
    double last_round_ = 0;  // best of the rounds before, with both
    int rounds_in_vain_ = 0;
    double upper_ = std::numeric_limits<double>::infinity();
    double value_ = 0;
    bool finished_ = false;
};

}  // namespace

std::unique_ptr<BoundProcess> make_capacity_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const bool is_priced = spec.objective == Objective::length || spec.objective == Objective::cables;
    if (!problem.is_plain() || !is_priced || spec.coverage != Coverage::all || problem.size() < 3) return nullptr;
    if (!spec.prizes.empty()) return nullptr;
    auto loads = branch_loads(problem);
    if (!loads) return nullptr;
    return std::make_unique<CapacityBound>(problem, std::move(*loads));
}

}  // namespace neuroprim
