#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "bounds/side_costs.hpp"

namespace neuroprim {

namespace {

/// The cost of an edge is a concave function of the mass on the side of u. So the best side for a given slope of that
/// function takes the vertices whose gain per mass is larger: only the sides that a sorting by it begins with count.
class MassSides final : public SideCosts {
public:
    explicit MassSides(std::vector<double> masses)
        : n_(masses.size()),
          total_(std::accumulate(masses.begin(), masses.end(), 0.0)),
          mass_(std::move(masses)),
          order_(n_) {
        mass_.resize((n_ + 7) / 8 * 8, 0);
    }

    /// Between the masses of neighbouring corners the cost is no less than the chord.
    [[nodiscard]] double floor(const WeightedEdge& edge) const override {
        const double least = mass_[index(edge.u)];
        const double most = total_ - mass_[index(edge.v)];
        double floor = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k + 1 < corners_.size(); ++k) {
            const double low = least + corners_[k] * (most - least);
            const double high = least + corners_[k + 1] * (most - least);
            // weight · m (total − m) on the chord: the slope, and where it passes m = least.
            const double slope = edge.weight * (total_ - low - high);
            const double start = edge.weight * low * (total_ - low) + slope * (least - low);
            floor = std::min(floor, start + gains_beyond(edge, slope));
        }
        return floor - earned_alone(edge);
    }

    [[nodiscard]] double least(const WeightedEdge& edge, std::vector<char>& on_side_of_u) override {
        const double* at_u = prices_of(edge.u);
        const double* at_v = prices_of(edge.v);
        order_.clear();
        for (std::size_t o = 0; o < n_; ++o) {
            if (o == index(edge.u) || o == index(edge.v)) continue;
            const double gain = at_v[o] - at_u[o];
            const double rate = mass_[o] > 0 ? gain / mass_[o] : gain > 0 ? 1e300 : -1e300;
            order_.push_back({rate, gain, static_cast<Vertex>(o)});
        }
        std::sort(order_.begin(), order_.end(), [](const Gain& a, const Gain& b) {
            return a.rate != b.rate ? a.rate > b.rate : a.vertex < b.vertex;
        });
        double mass = mass_[index(edge.u)];
        double gained = 0;
        double best = edge.weight * mass * (total_ - mass);
        std::size_t taken = 0;
        for (std::size_t k = 0; k < order_.size(); ++k) {
            mass += mass_[index(order_[k].vertex)];
            gained += order_[k].gain;
            const double cost = edge.weight * mass * (total_ - mass) - gained;
            if (cost < best) {
                best = cost;
                taken = k + 1;
            }
        }
        on_side_of_u.assign(n_, 0);
        on_side_of_u[index(edge.u)] = 1;
        for (std::size_t k = 0; k < taken; ++k) on_side_of_u[index(order_[k].vertex)] = 1;
        return best - earned_alone(edge);
    }

    [[nodiscard]] std::int64_t floor_looks() const override { return static_cast<std::int64_t>(2 * n_); }
    [[nodiscard]] std::int64_t least_looks() const override { return static_cast<std::int64_t>(40 * n_); }

private:
    struct Gain {
        double rate;
        double gain;
        Vertex vertex;
    };

    /// Σ over vertices but the ends of what they change when each takes the better side, mass costing `slope`.
    [[nodiscard]] double gains_beyond(const WeightedEdge& edge, double slope) const {
        const double* at_u = prices_of(edge.u);
        const double* at_v = prices_of(edge.v);
        const auto change = [&](std::size_t o) {
            const double cost = slope * mass_[o] - (at_v[o] - at_u[o]);
            return cost < 0 ? cost : 0;
        };
        std::array<double, 8> sum = {};
        for (std::size_t block = 0; block < mass_.size(); block += 8) {
            for (std::size_t k = 0; k < 8; ++k) sum[k] += change(block + k);
        }
        return std::accumulate(sum.begin(), sum.end(), 0.0) - change(index(edge.u)) - change(index(edge.v));
    }

    static constexpr std::array corners_ = {0.0, 0.06, 0.25, 0.75, 0.94, 1.0};  // parts of the mass

    std::size_t n_;
    double total_;
    std::vector<double> mass_;  // (n), zeros up to a multiple of eight
    std::vector<Gain> order_;
};

}  // namespace

std::unique_ptr<SideCosts> side_costs_of_masses(std::vector<double> masses) {
    return std::make_unique<MassSides>(std::move(masses));
}

}  // namespace neuroprim
