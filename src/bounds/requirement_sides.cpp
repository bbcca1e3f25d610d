#include <algorithm>
#include <array>
#include <numeric>

#include "bounds/side_costs.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim {

namespace {

/// The sides are a minimum cut between u and v, in the network of requirements with what vertices earn on either
/// side. Most vertices have their side whatever the others choose; a maximum flow (Dinic's) decides the rest.
class RequirementSides final : public SideCosts {
public:
    RequirementSides(Vertex n, std::span<const double> requirements)
        : n_(index(n)), requirement_(n_, n_, 0), pull_(n_), loose_(n_), side_(n_), residual_(n_, n_, 0) {
        for (Vertex u = 0; u < n; ++u) {
            for (Vertex v = 0; v < n; ++v) {
                if (u != v) requirement_[index(u)][v] = requirements[pair_index(u, v)];
            }
        }
        for (std::size_t u = 0; u < n_; ++u) {
            all_.push_back(std::accumulate(requirement_[u], requirement_[u] + n_, 0.0));
        }
    }

    /// Leaves out what vertices other than the ends require of each other.
    [[nodiscard]] double floor(const WeightedEdge& edge) const override {
        const double* at_u = prices_of(edge.u);
        const double* at_v = prices_of(edge.v);
        const double* of_u = requirement_[index(edge.u)];
        const double* of_v = requirement_[index(edge.v)];
        const double weight = edge.weight;
        const auto cost = [&](std::size_t o) {
            const double with_u = weight * of_v[o] - (at_v[o] - at_u[o]);
            const double with_v = weight * of_u[o];
            return with_u < with_v ? with_u : with_v;
        };
        std::array<double, 8> sum = {};
        for (std::size_t block = 0; block < stride(); block += 8) {
            for (std::size_t k = 0; k < 8; ++k) sum[k] += cost(block + k);
        }
        const double others =
            std::accumulate(sum.begin(), sum.end(), 0.0) - cost(index(edge.u)) - cost(index(edge.v));
        return weight * of_u[edge.v] + others - earned_alone(edge);
    }

    [[nodiscard]] double least(const WeightedEdge& edge, std::vector<char>& on_side_of_u) override {
        settle_obvious(edge);
        settle_rest(edge.weight);
        on_side_of_u.resize(n_);
        for (std::size_t o = 0; o < n_; ++o) on_side_of_u[o] = side_[o] == Side::u;
        return cost_of_sides(edge) - earned_alone(edge);
    }

    [[nodiscard]] std::int64_t floor_looks() const override { return static_cast<std::int64_t>(n_); }
    [[nodiscard]] std::int64_t least_looks() const override { return static_cast<std::int64_t>(20 * n_ * n_); }

private:
    enum class Side : char { open, u, v };

    /// The ends, and every vertex whose side is the better one whatever open vertices choose. O(n²).
    void settle_obvious(const WeightedEdge& edge) {
        const double* at_u = prices_of(edge.u);
        const double* at_v = prices_of(edge.v);
        for (std::size_t o = 0; o < n_; ++o) {
            side_[o] = Side::open;
            pull_[o] = at_u[o] - at_v[o];
            loose_[o] = edge.weight * all_[o];
        }
        side_[index(edge.u)] = Side::u;
        side_[index(edge.v)] = Side::v;
        settled_ = {index(edge.u), index(edge.v)};
        while (!settled_.empty()) {
            const std::size_t last = settled_.back();
            settled_.pop_back();
            const double* required = requirement_[last];
            const double sign = side_[last] == Side::u ? -1 : 1;
            for (std::size_t o = 0; o < n_; ++o) {
                if (side_[o] != Side::open) continue;
                pull_[o] += sign * edge.weight * required[o];
                loose_[o] -= edge.weight * required[o];
                if (pull_[o] + loose_[o] > 0 && pull_[o] - loose_[o] < 0) continue;
                side_[o] = pull_[o] < 0 ? Side::u : Side::v;
                settled_.push_back(o);
            }
        }
    }

    /// A maximum flow from the vertices that are pulled to u to those that are pulled to v.
    void settle_rest(double weight) {
        open_.clear();
        for (std::size_t o = 0; o < n_; ++o) {
            if (side_[o] == Side::open) open_.push_back(o);
        }
        if (open_.empty()) return;
        double largest = 0;
        supply_.clear();
        for (const std::size_t o : open_) {
            supply_.push_back(-pull_[o]);
            largest = std::max(largest, std::abs(pull_[o]));
        }
        nothing_ = 1e-13 * largest;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            for (std::size_t j = 0; j < open_.size(); ++j) {
                residual_[i][j] = weight * requirement_[open_[i]][open_[j]];
            }
        }
        while (find_levels()) {
            next_.assign(open_.size(), 0);
            for (std::size_t i = 0; i < open_.size(); ++i) {
                while (supply_[i] > nothing_) {
                    const double pushed = push(i, supply_[i]);
                    if (pushed <= 0) break;
                    supply_[i] -= pushed;
                }
            }
        }
        for (std::size_t i = 0; i < open_.size(); ++i) side_[open_[i]] = level_[i] >= 0 ? Side::u : Side::v;
    }

    /// Steps from the nearest supply; false when no demand can be reached.
    bool find_levels() {
        level_.assign(open_.size(), -1);
        queue_.clear();
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (supply_[i] <= nothing_) continue;
            level_[i] = 0;
            queue_.push_back(i);
        }
        bool found = false;
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const std::size_t i = queue_[head];
            found = found || supply_[i] < -nothing_;
            for (std::size_t j = 0; j < open_.size(); ++j) {
                if (level_[j] >= 0 || residual_[i][j] <= nothing_) continue;
                level_[j] = level_[i] + 1;
                queue_.push_back(j);
            }
        }
        return found;
    }

    /// As much of `amount` as one path from i to some demand takes.
    double push(std::size_t i, double amount) {
        if (supply_[i] < -nothing_) {
            const double taken = std::min(amount, -supply_[i]);
            supply_[i] += taken;
            return taken;
        }
        for (std::size_t& j = next_[i]; j < open_.size(); ++j) {
            if (level_[j] != level_[i] + 1 || residual_[i][j] <= nothing_) continue;
            const double pushed = push(j, std::min(amount, residual_[i][j]));
            if (pushed <= 0) continue;
            residual_[i][j] -= pushed;
            residual_[j][i] += pushed;
            return pushed;
        }
        return 0;
    }

    [[nodiscard]] double cost_of_sides(const WeightedEdge& edge) const {
        const double* at_u = prices_of(edge.u);
        const double* at_v = prices_of(edge.v);
        double required = 0;
        double gained = 0;
        for (std::size_t o = 0; o < n_; ++o) {
            if (side_[o] != Side::u) continue;
            if (o != index(edge.u)) gained += at_v[o] - at_u[o];
            const double* of_it = requirement_[o];
            for (std::size_t d = 0; d < n_; ++d) required += side_[d] == Side::v ? of_it[d] : 0;
        }
        return edge.weight * required - gained;
    }

    std::size_t n_;
    PaddedTable requirement_;  // (n, n)
    std::vector<double> all_;  // (n) requirements of a vertex together

    std::vector<double> pull_;   // (n) costs on the side of u less those on the side of v, by what is settled
    std::vector<double> loose_;  // (n) what open vertices may change about that
    std::vector<Side> side_;
    std::vector<std::size_t> settled_;  // vertices whose requirements are not yet in `pull_`

    std::vector<std::size_t> open_;
    std::vector<double> supply_;  // (open) what is left of it; demand where negative
    PaddedTable residual_;        // (open, open)
    std::vector<int> level_;      // (open) −1: out of reach
    std::vector<std::size_t> next_;
    std::vector<std::size_t> queue_;
    double nothing_ = 0;  // flows up to this are rounding
};

}  // namespace

std::unique_ptr<SideCosts> side_costs_of_requirements(Vertex n, std::span<const double> requirements) {
    return std::make_unique<RequirementSides>(n, requirements);
}

}  // namespace neuroprim
