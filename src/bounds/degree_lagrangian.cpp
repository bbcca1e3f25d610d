#include "bounds/degree_lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "bounds/candidate_mst.hpp"
#include "bounds/complete_mst.hpp"
#include "bounds/modified_mst.hpp"
#include "bounds/whole_weights.hpp"
#include "graph/neighbours.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

/// Looks at an edge that take some ten milliseconds: a slice must not depend on the clock.
constexpr std::int64_t looks_per_slice = 8'000'000;

/// Where the trees come from: for any penalties a minimum spanning tree, or one that is nearly so.
class TreeOracle {
public:
    virtual ~TreeOracle() = default;

    /// True when a tree for these penalties is finished, false when `looks` were used up or the stop token expired
    /// before; it then has to be called again with the same penalties.
    [[nodiscard]] virtual bool build(std::span<const double> penalties, std::int64_t& looks,
                                     const StopToken& stop) = 0;
    [[nodiscard]] virtual std::span<const WeightedEdge> edges() const = 0;

    /// The same for a tree that is proven to be minimal. Oracles whose trees all are have nothing to do.
    [[nodiscard]] virtual bool prove(std::span<const double> penalties, std::int64_t& looks,
                                     const StopToken& stop) = 0;
    [[nodiscard]] virtual std::span<const WeightedEdge> proven_edges() const = 0;
    [[nodiscard]] virtual bool always_proves() const = 0;
};

/// Every edge is looked at for every tree.
class PlainOracle final : public TreeOracle {
public:
    explicit PlainOracle(const Weights& weights) : trees_(weights) {}

    bool build(std::span<const double> penalties, std::int64_t& looks, const StopToken& stop) override {
        if (!begun_) trees_.begin(penalties);
        begun_ = !trees_.advance(looks, stop);
        return !begun_;
    }
    bool prove(std::span<const double>, std::int64_t&, const StopToken&) override { return true; }
    [[nodiscard]] std::span<const WeightedEdge> edges() const override { return trees_.edges(); }
    [[nodiscard]] std::span<const WeightedEdge> proven_edges() const override { return trees_.edges(); }
    [[nodiscard]] bool always_proves() const override { return true; }

private:
    ModifiedMst trees_;
    bool begun_ = false;
};

/// Trees over near edges, and now and then one over all edges. What that one has beside near edges joins them.
class CandidateOracle final : public TreeOracle {
public:
    explicit CandidateOracle(const Weights& weights) : weights_(&weights), near_(weights.size(), {}) {}

    bool build(std::span<const double> penalties, std::int64_t& looks, const StopToken& stop) override {
        constexpr std::int64_t looks_per_candidate = 40;
        looks -= looks_per_candidate * std::ssize(near_.candidates());
        return near_.build(penalties, stop);
    }

    bool prove(std::span<const double> penalties, std::int64_t& looks, const StopToken& stop) override {
        try {
            if (!all_) prepare(stop);
        } catch (const Interrupted&) {
            return false;
        }
        if (!begun_) all_->begin(penalties, near_.candidates());
        begun_ = !all_->advance(looks, stop);
        if (begun_) return false;
        for (const WeightedEdge& edge : all_->discovered()) near_.add(edge);
        return true;
    }

    [[nodiscard]] std::span<const WeightedEdge> edges() const override { return near_.edges(); }
    [[nodiscard]] std::span<const WeightedEdge> proven_edges() const override { return all_->edges(); }
    [[nodiscard]] bool always_proves() const override { return false; }

private:
    static constexpr std::size_t near_count = 8;

    void prepare(const StopToken& stop) {
        const Neighbours near = nearest_neighbours(*weights_, near_count, 1, stop);
        const auto holds = [&](Vertex u, Vertex v) {
            const auto list = near.of(u);
            return std::find(list.begin(), list.end(), v) != list.end();
        };
        std::vector<WeightedEdge> candidates;
        for (Vertex u = 0; u < weights_->size(); ++u) {
            for (const Vertex v : near.of(u)) {
                if (u < v || !holds(v, u)) candidates.push_back({u, v, (*weights_)(u, v)});
            }
        }
        near_ = CandidateMst(weights_->size(), std::move(candidates));
        all_ = make_complete_mst(*weights_, stop);
    }

    const Weights* weights_;
    CandidateMst near_;
    std::unique_ptr<CompleteMst> all_;
    bool begun_ = false;
};

/// Null when a plain oracle would take too long.
std::unique_ptr<TreeOracle> make_oracle(const Weights& weights, Vertex most_with_all_edges) {
    if (weights.size() > most_with_all_edges && complete_mst_takes(weights)) {
        return std::make_unique<CandidateOracle>(weights);
    }
    return ModifiedMst::takes(weights) ? std::make_unique<PlainOracle>(weights) : nullptr;
}

class DegreeLagrangian final : public BoundProcess {
public:
    DegreeLagrangian(const Problem& problem, std::unique_ptr<TreeOracle> oracle)
        : problem_(&problem),
          oracle_(std::move(oracle)),
          whole_(has_whole_weights(problem.weights())),
          limit_(problem.spec().degrees) {
        const auto n = index(problem.size());
        path_ = n > 2 && std::all_of(limit_.begin(), limit_.end(), [](int limit) { return limit == 2; });
        penalty_.assign(n, 0);
        best_penalty_.assign(n, 0);
        direction_.assign(n, 0);
        allowed_in_vain_ = oracle_->always_proves() ? static_cast<int>(20 + n / 10) : few_in_vain;
    }

    bool advance(double upper, const StopToken& stop) override {
        looks_ = std::min(looks_, std::int64_t{0}) + looks_per_slice;
        upper_ = std::min(upper_, upper);
        while (!finished() && looks_ > 0 && !stop.expired()) {
            const std::int64_t before = looks_;
            const bool complete =
                is_proving_ ? oracle_->prove(best_penalty_, looks_, stop) : oracle_->build(penalty_, looks_, stop);
            (is_proving_ ? looks_of_proof_ : looks_of_steps_) += before - looks_;
            if (!complete) break;
            if (is_proving_) {
                take_proof();
            } else {
                evaluate();
                step();
            }
            is_proving_ = proof_is_due();
        }
        return !finished();
    }

    [[nodiscard]] double value() const override { return value_; }
    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
    struct Sum {
        double value = 0;
        double rounding = 0;  ///< by which it may be too large
    };

    [[nodiscard]] bool finished() const {
        return value_ >= upper_ || (has_converged() && (oracle_->always_proves() || best_ <= proven_));
    }

    [[nodiscard]] bool has_converged() const { return exact_ || scale_ < 1e-4; }

    /// Proofs take a share of the time, and come when there is something to prove.
    [[nodiscard]] bool proof_is_due() const {
        constexpr std::int64_t share = 4;
        constexpr double worthwhile = 1e-5;
        if (oracle_->always_proves() || best_ <= proven_) return false;
        if (has_converged()) return true;
        return looks_of_steps_ >= share * looks_of_last_proof_ && best_ > proven_ + worthwhile * std::abs(proven_);
    }

    /// The bound for the best penalties, over all edges. Those that were discovered may have made it smaller.
    void take_proof() {
        const Sum sum = dual_value(oracle_->proven_edges(), best_penalty_);
        raise(sum);
        if (sum.value < best_ - sum.rounding) exact_ = false;
        best_ = proven_ = sum.value;
        looks_of_last_proof_ = std::exchange(looks_of_proof_, 0);
        looks_of_steps_ = 0;
    }

    void raise(const Sum& sum) {
        const double proven = sum.value - sum.rounding;
        value_ = std::max(value_, whole_ ? std::ceil(proven) : proven);
    }

    /// What the finished tree is worth, and how far each vertex is from its limit.
    void evaluate() {
        const Sum sum = dual_value(oracle_->edges(), penalty_);
        current_ = sum.value;
        if (oracle_->always_proves()) raise(sum);
    }

    /// Leaves the degrees minus the limits in `subgradient_`.
    Sum dual_value(std::span<const WeightedEdge> edges, std::span<const double> penalty) {
        subgradient_.assign(limit_.size(), 0);
        double sum = 0;
        double magnitude = 0;
        double weight_sum = 0;
        for (const auto& [u, v, weight] : edges) {
            const double pu = penalty[index(u)];
            const double pv = penalty[index(v)];
            sum += weight + pu + pv;
            weight_sum += weight;
            magnitude += weight + std::abs(pu) + std::abs(pv);
            ++subgradient_[index(u)];
            ++subgradient_[index(v)];
        }
        const bool keeps_limits = std::equal(subgradient_.begin(), subgradient_.end(), limit_.begin(),
                                             [](int degree, int limit) { return degree <= limit; });
        if (keeps_limits && weight_sum < tree_weight_) remember_tree(edges, weight_sum);
        if (path_) {
            // The edges of the vertex that closes the path.
            std::array<std::size_t, 2> ends = {0, 1};
            if (penalty[1] < penalty[0]) std::swap(ends[0], ends[1]);
            for (std::size_t v = 2; v < penalty.size(); ++v) {
                if (penalty[v] < penalty[ends[0]]) {
                    ends = {v, ends[0]};
                } else if (penalty[v] < penalty[ends[1]]) {
                    ends[1] = v;
                }
            }
            for (const std::size_t v : ends) {
                sum += penalty[v];
                magnitude += std::abs(penalty[v]);
                ++subgradient_[v];
            }
        }
        for (std::size_t v = 0; v < limit_.size(); ++v) {
            sum -= penalty[v] * limit_[v];
            magnitude += std::abs(penalty[v]) * limit_[v];
            subgradient_[v] -= limit_[v];
        }
        // Twice what rounding can do to a sum of so many terms, and to the choice among edges of nearly equal cost.
        const double margin = 8 * static_cast<double>(limit_.size()) * std::numeric_limits<double>::epsilon();
        return {sum, margin * magnitude};
    }

    void remember_tree(std::span<const WeightedEdge> edges, double weight) {
        tree_weight_ = weight;
        Tree found{0, {}};
        for (const auto& [u, v, unused] : edges) found.edges.push_back({u, v});
        tree_ = grown_from(found, 0, problem_->size());
    }

    /// Moves the penalties along a mean of the last subgradients; a vertex below its limit cannot be paid for it,
    /// unless its degree is known exactly.
    void step() {
        if (current_ > best_) {
            if (current_ > best_ + 1e-6 * std::abs(best_)) in_vain_ = 0;
            best_ = current_;
            best_penalty_ = penalty_;
        }
        if (++in_vain_ > allowed_in_vain_) {
            scale_ /= 2;
            in_vain_ = 0;
            penalty_ = best_penalty_;
        }
        double square = 0;
        for (std::size_t v = 0; v < limit_.size(); ++v) {
            if (!free(v) && penalty_[v] <= 0 && subgradient_[v] < 0) subgradient_[v] = 0;
            direction_[v] = 0.7 * subgradient_[v] + 0.3 * direction_[v];
            square += direction_[v] * direction_[v];
        }
        exact_ = std::all_of(subgradient_.begin(), subgradient_.end(), [](int g) { return g == 0; });
        if (exact_ || square == 0) return;
        const double target = std::isfinite(upper_) ? upper_ : 1.05 * std::abs(best_) + 1;
        const double length = scale_ * std::max(target - current_, 1e-3 * std::abs(target)) / square;
        for (std::size_t v = 0; v < limit_.size(); ++v) {
            penalty_[v] += length * direction_[v];
            if (!free(v)) penalty_[v] = std::max(penalty_[v], 0.0);
        }
    }

    /// Is the vertex's degree known exactly? On closed paths it is 2, and it is 1 where the limit is 1.
    [[nodiscard]] bool free(std::size_t v) const { return path_ || limit_[v] == 1; }

    const Problem* problem_;
    std::unique_ptr<TreeOracle> oracle_;
    bool whole_;
    bool path_ = false;
    std::span<const int> limit_;        // (n)
    std::vector<double> penalty_;       // (n)
    std::vector<double> best_penalty_;  // (n)
    std::vector<double> direction_;     // (n)
    std::vector<int> subgradient_;      // (n) degree minus limit
    /// Steps without a gain before they are halved, where a tree is cheap for the size of the graph.
    static constexpr int few_in_vain = 30;

    double current_ = 0;
    double best_ = -std::numeric_limits<double>::infinity();
    double value_ = 0;
    double upper_ = std::numeric_limits<double>::infinity();
    double scale_ = 1;
    int allowed_in_vain_ = 0;
    int in_vain_ = 0;
    bool is_proving_ = !oracle_->always_proves();  // the best penalties; for none that is the spanning tree
    double proven_ = -std::numeric_limits<double>::infinity();  // what the best penalties were worth then
    std::int64_t looks_ = 0;  // left of this slice; what a large tree took too many are missing in the next ones
    std::int64_t looks_of_steps_ = 0;  // since the last proof
    std::int64_t looks_of_proof_ = 0;  // in hand
    std::int64_t looks_of_last_proof_ = 0;
    bool exact_ = false;  // every vertex is at its limit or needs no penalty: nothing better is to be had
    std::optional<Tree> tree_;
    double tree_weight_ = std::numeric_limits<double>::infinity();
};

}  // namespace

bool degree_lagrangian_suits(const Problem& problem) {
    return problem.is_plain() && problem.cost_is_total_weight() && problem.spec().coverage == Coverage::all &&
           problem.spec().has(Limit::degree);
}

std::unique_ptr<BoundProcess> make_degree_lagrangian(const Problem& problem, Vertex most_with_all_edges) {
    if (problem.size() < 2) return nullptr;
    auto oracle = make_oracle(problem.weights(), most_with_all_edges);
    if (!oracle) return nullptr;
    return std::make_unique<DegreeLagrangian>(problem, std::move(oracle));
}

}  // namespace neuroprim
