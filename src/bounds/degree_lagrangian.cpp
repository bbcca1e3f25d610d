#include "bounds/degree_lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bounds/modified_mst.hpp"
#include "bounds/whole_weights.hpp"

namespace neuroprim {

namespace {

/// Looks at an edge that take some ten milliseconds: a slice must not depend on the clock.
constexpr std::int64_t looks_per_slice = 8'000'000;

class DegreeLagrangian final : public BoundProcess {
public:
    explicit DegreeLagrangian(const Problem& problem)
        : problem_(&problem),
          oracle_(problem.weights()),
          whole_(has_whole_weights(problem.weights())),
          limit_(problem.spec().degrees) {
        const auto n = index(problem.size());
        path_ = n > 2 && std::all_of(limit_.begin(), limit_.end(), [](int limit) { return limit == 2; });
        penalty_.assign(n, 0);
        best_penalty_.assign(n, 0);
        direction_.assign(n, 0);
        allowed_in_vain_ = static_cast<int>(20 + n / 10);
    }

    bool advance(double upper, const StopToken& stop) override {
        std::int64_t looks = looks_per_slice;
        upper_ = std::min(upper_, upper);
        while (!finished() && looks > 0 && !stop.expired()) {
            if (!begun_) oracle_.begin(penalty_);
            begun_ = true;
            if (!oracle_.advance(looks, stop)) break;
            begun_ = false;
            evaluate();
            step();
        }
        return !finished();
    }

    [[nodiscard]] double value() const override { return value_; }
    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
    [[nodiscard]] bool finished() const { return exact_ || scale_ < 1e-4 || value_ >= upper_; }

    /// What the finished tree proves, and how far each vertex is from its limit.
    void evaluate() {
        subgradient_.assign(limit_.size(), 0);
        double sum = 0;
        double magnitude = 0;
        double weight_sum = 0;
        for (const auto& [u, v, weight] : oracle_.edges()) {
            const double pu = penalty_[index(u)];
            const double pv = penalty_[index(v)];
            sum += weight + pu + pv;
            weight_sum += weight;
            magnitude += weight + std::abs(pu) + std::abs(pv);
            ++subgradient_[index(u)];
            ++subgradient_[index(v)];
        }
        const bool keeps_limits = std::equal(subgradient_.begin(), subgradient_.end(), limit_.begin(),
                                             [](int degree, int limit) { return degree <= limit; });
        if (keeps_limits && weight_sum < tree_weight_) remember_tree(weight_sum);
        if (path_) {
            // The edges of the vertex that closes the path.
            std::array<std::size_t, 2> ends = {0, 1};
            if (penalty_[1] < penalty_[0]) std::swap(ends[0], ends[1]);
            for (std::size_t v = 2; v < penalty_.size(); ++v) {
                if (penalty_[v] < penalty_[ends[0]]) {
                    ends = {v, ends[0]};
                } else if (penalty_[v] < penalty_[ends[1]]) {
                    ends[1] = v;
                }
            }
            for (const std::size_t v : ends) {
                sum += penalty_[v];
                magnitude += std::abs(penalty_[v]);
                ++subgradient_[v];
            }
        }
        for (std::size_t v = 0; v < limit_.size(); ++v) {
            sum -= penalty_[v] * limit_[v];
            magnitude += std::abs(penalty_[v]) * limit_[v];
            subgradient_[v] -= limit_[v];
        }
        current_ = sum;
        // Twice what rounding can do to a sum of so many terms, and to the choice among edges of nearly equal cost.
        const double margin = 8 * static_cast<double>(limit_.size()) * std::numeric_limits<double>::epsilon();
        const double proven = sum - margin * magnitude;
        value_ = std::max(value_, whole_ ? std::ceil(proven) : proven);
    }

    void remember_tree(double weight) {
        tree_weight_ = weight;
        Tree found{0, {}};
        for (const auto& [u, v, unused] : oracle_.edges()) found.edges.push_back({u, v});
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
    ModifiedMst oracle_;
    bool whole_;
    bool path_ = false;
    std::span<const int> limit_;        // (n)
    std::vector<double> penalty_;       // (n)
    std::vector<double> best_penalty_;  // (n)
    std::vector<double> direction_;     // (n)
    std::vector<int> subgradient_;      // (n) degree minus limit
    double current_ = 0;
    double best_ = -std::numeric_limits<double>::infinity();
    double value_ = 0;
    double upper_ = std::numeric_limits<double>::infinity();
    double scale_ = 1;
    int allowed_in_vain_ = 0;
    int in_vain_ = 0;
    bool begun_ = false;  // a tree is under way
    bool exact_ = false;  // every vertex is at its limit or needs no penalty: nothing better is to be had
    std::optional<Tree> tree_;
    double tree_weight_ = std::numeric_limits<double>::infinity();
};

}  // namespace

bool degree_lagrangian_suits(const Problem& problem) {
    return problem.is_plain() && problem.cost_is_total_weight() && problem.spec().coverage == Coverage::all &&
           problem.spec().has(Limit::degree);
}

std::unique_ptr<BoundProcess> make_degree_lagrangian(const Problem& problem) {
    if (problem.size() < 2 || !ModifiedMst::takes(problem.weights())) return nullptr;
    return std::make_unique<DegreeLagrangian>(problem);
}

}  // namespace neuroprim
