#include <algorithm>
#include <limits>

#include "bounds/side_costs.hpp"

namespace neuroprim {

namespace {

/// Of all sides with the same number of vertices the best one takes those that gain most.
class CountSides final : public SideCosts {
public:
    CountSides(Vertex root, std::vector<double> price)
        : root_(index(root)),
          price_(std::move(price)),
          least_price_(*std::min_element(price_.begin() + 1, price_.end())) {}

    [[nodiscard]] double floor(const WeightedEdge& edge) const override {
        return std::min(floor_beyond(edge), floor_beyond({edge.v, edge.u, edge.weight}));
    }

    [[nodiscard]] double least(const WeightedEdge& edge, std::vector<char>& on_side_of_u) override {
        on_side_of_u.assign(price_.size(), 0);
        const double beyond_v = least_beyond({edge.v, edge.u, edge.weight}, on_side_of_u);
        for (char& side : on_side_of_u) side = static_cast<char>(1 - side);
        const double beyond_u = least_beyond(edge, other_);
        if (beyond_u >= beyond_v) return beyond_v;
        on_side_of_u = other_;
        return beyond_u;
    }

    [[nodiscard]] std::int64_t floor_looks() const override { return 4 * std::ssize(price_); }
    [[nodiscard]] std::int64_t least_looks() const override { return 80 * std::ssize(price_); }

private:
    struct Gain {
        double gain;
        Vertex vertex;
    };

    /// When the root is on the side of v.
    [[nodiscard]] double gain(const WeightedEdge& edge, std::size_t o) const {
        return prices_of(edge.v)[o] - prices_of(edge.u)[o] - path_price(o, edge.weight);
    }

    [[nodiscard]] double floor_beyond(const WeightedEdge& edge) const {
        if (index(edge.u) == root_) return std::numeric_limits<double>::infinity();
        double cost = edge.weight * least_price_ + path_price(index(edge.u), edge.weight);
        for (std::size_t o = 0; o < price_.size(); ++o) {
            if (o == root_ || o == index(edge.u) || o == index(edge.v)) continue;
            cost -= std::max(0.0, gain(edge, o));
        }
        return cost - earned_alone(edge);
    }

    [[nodiscard]] double least_beyond(const WeightedEdge& edge, std::vector<char>& on_side_of_u) {
        on_side_of_u.assign(price_.size(), 0);
        if (index(edge.u) == root_) return std::numeric_limits<double>::infinity();
        order_.clear();
        for (std::size_t o = 0; o < price_.size(); ++o) {
            if (o == root_ || o == index(edge.u) || o == index(edge.v)) continue;
            order_.push_back({gain(edge, o), static_cast<Vertex>(o)});
        }
        std::ranges::sort(order_, [](const Gain& a, const Gain& b) {
            return a.gain != b.gain ? a.gain > b.gain : a.vertex < b.vertex;
        });
        double gained = 0;
        double best = std::numeric_limits<double>::infinity();
        std::size_t taken = 0;
        for (std::size_t k = 0; k <= order_.size(); ++k) {
            if (k > 0) gained += order_[k - 1].gain;
            const double cost = edge.weight * price_[k + 1] - gained;
            if (cost < best) {
                best = cost;
                taken = k;
            }
        }
        on_side_of_u[index(edge.u)] = 1;
        for (std::size_t k = 0; k < taken; ++k) on_side_of_u[index(order_[k].vertex)] = 1;
        return best + path_price(index(edge.u), edge.weight) - earned_alone(edge);
    }

    std::size_t root_;
    std::vector<double> price_;
    double least_price_;
    std::vector<Gain> order_;
    std::vector<char> other_;
};

}  // namespace

std::unique_ptr<SideCosts> side_costs_of_counts(Vertex root, std::vector<double> price) {
    return std::make_unique<CountSides>(root, std::move(price));
}

}  // namespace neuroprim
